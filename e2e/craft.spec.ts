import { gzipSync } from 'node:zlib'
import { expect, type Response, test } from '@playwright/test'
import { languages } from '@pool/contract/languages'
import { firstLoad } from '../web/firstLoad.ts'
import { type Sessions, screens, startSessions } from './pages.ts'
import { signedIn } from './prepare.ts'
import { settled, withoutChanges } from './steps.ts'

/** The craft of pages: their size, metadata, stability, fit and print. */

let sessions: Sessions
test.beforeAll(async ({ playwright, baseURL }) => {
  sessions = await startSessions(playwright, baseURL)
})

type Script = { readonly name: string; readonly bytes: number }
const weighed = (name: string, content: string | Buffer): Script => ({
  name,
  bytes: gzipSync(content, { level: 9 }).length,
})
const scriptOf = async (response: Response): Promise<Script> =>
  weighed(new URL(response.url()).pathname, await response.body())

/** The most JavaScript of a first load, gzipped. */
const BUDGETS: Readonly<Record<string, number>> = { '/': 110_000 }
const BUDGET = 190_000
for (const { path, by } of screens) {
  test(`${path} keeps its JavaScript budget and does not shift`, async ({ browser, baseURL }) => {
    const context = await signedIn(browser, sessions[by], { baseURL })
    const page = await context.newPage()
    await withoutChanges(page)
    const asked: string[] = []
    const loaded: Promise<Script>[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script') loaded.push(scriptOf(response))
    })
    await page.goto(path)
    await settled(page)
    const inline = await page
      .locator('script:not([src]):not([type="application/json"])')
      .allTextContents()
    const first = new Set(firstLoad(asked))
    const scripts = [
      ...inline.map((text) => weighed('in the page', text)),
      ...(await Promise.all(loaded)).filter(({ name }) => first.has(name)),
    ]
    const weight = scripts.reduce((sum, { bytes }) => sum + bytes, 0)
    expect(
      weight,
      JSON.stringify(scripts.toSorted((a, b) => b.bytes - a.bytes)),
    ).toBeLessThanOrEqual(BUDGETS[path] ?? BUDGET)

    const shift = await page.evaluate(
      () =>
        new Promise<readonly string[]>((resolve) => {
          const moved: string[] = []
          const add = (entries: PerformanceEntryList) => {
            for (const { value, sources } of entries as (PerformanceEntry & {
              value: number
              sources: { node: Node | null }[]
            })[])
              moved.push(
                `${value}: ${sources.map(({ node }) => (node instanceof Element ? node.outerHTML : node?.textContent)?.slice(0, 120)).join(' | ')}`,
              )
          }
          const observer = new PerformanceObserver((list) => add(list.getEntries()))
          observer.observe({ type: 'layout-shift', buffered: true })
          requestAnimationFrame(() =>
            requestAnimationFrame(() => {
              add(observer.takeRecords())
              resolve(moved)
            }),
          )
        }),
    )
    expect(shift).toEqual([])
    // Nor while the document arrives: it is drawn once it is read up to this mark.
    const mark = await page.locator('link[rel="expect"][blocking="render"]').getAttribute('href')
    await expect(page.locator(mark ?? '')).toBeAttached()
    await context.close()
  })

  test(`${path} fits and works at 200 % zoom`, async ({ browser, baseURL }) => {
    const context = await signedIn(browser, sessions[by], {
      baseURL,
      viewport: { width: 640, height: 450 },
      deviceScaleFactor: 2,
    })
    const page = await context.newPage()
    await page.goto(path)
    await settled(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(640)
    await context.close()
  })
}

test('a dialog is within reach at 200 % zoom', async ({ browser, baseURL }) => {
  const context = await signedIn(browser, sessions.investor, {
    baseURL,
    viewport: { width: 640, height: 450 },
    deviceScaleFactor: 2,
  })
  const page = await context.newPage()
  await page.goto('/dashboard')
  await page.getByRole('button', { name: /^Invest/ }).click()
  const submit = page.getByRole('dialog').getByRole('button', { name: 'Make Investment' })
  await submit.scrollIntoViewIfNeeded()
  await expect(submit).toBeInViewport({ ratio: 1 })
  await context.close()
})

test.describe('each page describes itself', () => {
  for (const { path, by, title } of screens) {
    for (const language of languages) {
      test(`${path} has a title in '${language}'`, async ({ browser, baseURL }) => {
        const context = await signedIn(browser, sessions[by], { baseURL })
        const page = await context.newPage()
        const document = await page.goto(`${path}?lang=${language}`)
        expect((await document?.text())?.match(/<title>/g)).toHaveLength(1)
        // Staff read the number of waiting requests first.
        await expect(page).toHaveTitle(new RegExp(`^(\\(\\d+\\) )?${title[language]}$`))
        await expect(page.locator('html')).toHaveAttribute('lang', language)
        await context.close()
      })
    }
  }

  test('a page has icons, a manifest and a share card', async ({ page, request }) => {
    await page.goto('/')
    for (const icon of await page
      .locator('link[rel~="icon"], link[rel="apple-touch-icon"]')
      .all()) {
      const answer = await request.get((await icon.getAttribute('href')) ?? '')
      expect(answer.headers()['content-type']).toMatch(/^image\//)
    }
    const manifest = await (
      await request.get((await page.locator('link[rel="manifest"]').getAttribute('href')) ?? '')
    ).json()
    expect(manifest).toMatchObject({
      name: 'Peer Lending Pool',
      display: 'standalone',
      start_url: '/dashboard',
    })
    for (const { src, sizes } of manifest.icons) {
      const answer = await request.get(src)
      expect(answer.headers()['content-type']).toMatch(/^image\//)
      // A PNG names its width and height.
      if (src.endsWith('.png'))
        expect(
          `${(await answer.body()).readUInt32BE(16)}x${(await answer.body()).readUInt32BE(20)}`,
        ).toBe(sizes)
    }
    await expect(page.locator('meta[property="og:title"]')).toHaveAttribute(
      'content',
      /Peer Lending Pool/,
    )
    expect((await request.get('/robots.txt')).ok()).toBe(true)
  })

  test('pages without a public origin name no whole URLs', async ({ page }) => {
    await page.goto('/')
    await expect(
      page.locator('link[rel="canonical"], link[hreflang]:not(a), meta[property="og:image"]'),
    ).toHaveCount(0)
  })
})

for (const [language, heading] of [
  ['en', 'Peer Lending Pool'],
  ['es', 'Fondo de Préstamos entre Particulares'],
] as const) {
  test(`the landing page reads in '${language}' without scripts`, async ({ browser, baseURL }) => {
    const context = await browser.newContext({
      baseURL: baseURL ?? '',
      javaScriptEnabled: false,
      locale: language,
    })
    const page = await context.newPage()
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
    for (const section of ['#how-it-works', '#features', '#about'])
      await expect(page.locator(section)).toBeVisible()
    await expect(
      page.getByRole('link', { name: /Start Investing|Empieza a invertir/ }).first(),
    ).toHaveAttribute('href', '/register')
    await context.close()
  })
}

for (const { path, by } of screens) {
  test(`nothing on ${path} moves when less motion is preferred`, async ({ browser, baseURL }) => {
    const context = await signedIn(browser, sessions[by], { baseURL, reducedMotion: 'reduce' })
    const page = await context.newPage()
    await page.goto(path)
    await settled(page)
    if (path === '/dashboard') await page.getByRole('button', { name: /^Deposit/ }).click()
    const moving = await page.evaluate(() => {
      const seconds = (list: string) =>
        Math.max(
          ...list
            .split(',')
            .map((each) => Number.parseFloat(each) * (each.includes('ms') ? 0.001 : 1)),
        )
      return [...document.querySelectorAll('*')]
        .flatMap((element) =>
          [null, '::before', '::after'].map((pseudo) => getComputedStyle(element, pseudo)),
        )
        .filter(
          (style) =>
            seconds(style.transitionDuration) > 0.001 ||
            (style.animationName !== 'none' && seconds(style.animationDuration) > 0.001),
        ).length
    })
    expect(moving).toBe(0)
    await context.close()
  })
}

test('a statement prints owner, time, zone and whole rows', async ({ browser, baseURL }) => {
  const context = await signedIn(browser, sessions.investor, {
    baseURL,
    timezoneId: 'America/New_York',
    colorScheme: 'dark',
  })
  const page = await context.newPage()
  await page.goto('/dashboard')
  await settled(page)
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByText(/^Printed on .+ \(America\/New_York\)$/)).toBeVisible()
  await expect(page.locator('strong', { hasText: sessions.investor.username })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Account Balance' })).toBeVisible()
  expect(
    await page
      .locator('button:visible')
      .filter({ visible: true })
      .evaluateAll((all) => all.filter((one) => !one.closest('table')).length),
  ).toBe(0)
  // The letterhead is within the page, above a plain balance. Search boxes and bars are gone.
  await expect(page.locator('[data-print="none"]').filter({ visible: true })).toHaveCount(0)
  const [letterhead, main] = await Promise.all(
    [page.getByText(/^Printed on /), page.locator('main')].map((part) => part.boundingBox()),
  )
  expect((letterhead?.x ?? 0) + (letterhead?.width ?? 0)).toBeLessThanOrEqual(
    (main?.x ?? 0) + (main?.width ?? 0) - 16,
  )
  expect(
    await page
      .getByRole('region', { name: 'Account Balance' })
      .evaluate((card) => getComputedStyle(card).backgroundImage),
  ).toBe('none')
  const rows = page.locator('tbody tr')
  const [visible, all] = [await rows.filter({ visible: true }).count(), await rows.count()]
  expect(visible).toBe(all)
  expect(await rows.first().evaluate((row) => getComputedStyle(row).breakInside)).toBe('avoid')
  // No scrolling box cuts anything off.
  const cut = await page.locator('table').evaluateAll((tables) =>
    tables
      .filter((table) => table.checkVisibility())
      .map((table) => table.parentElement as HTMLElement)
      .filter(
        ({ scrollHeight, clientHeight }) => clientHeight > 1 && scrollHeight > clientHeight + 1,
      )
      .map(
        (box) =>
          `${box.className}: ${box.scrollHeight} in ${box.clientHeight}, ${getComputedStyle(box).blockSize}`,
      ),
  )
  expect(cut).toEqual([])
  await context.close()
})
