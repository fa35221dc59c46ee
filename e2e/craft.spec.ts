import { expect } from '@playwright/test'
import { test } from './fixtures.ts'

/** The craft of pages: icons, reading without scripts, and print. */

test('a page has icons, a manifest and a share card', async ({ open, request }) => {
  const page = await open(undefined, '/')
  for (const icon of await page.locator('link[rel~="icon"], link[rel="apple-touch-icon"]').all()) {
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

test('pages without a public origin name no whole URLs', async ({ open }) => {
  const page = await open(undefined, '/')
  await expect(
    page.locator('link[rel="canonical"], link[hreflang]:not(a), meta[property="og:image"]'),
  ).toHaveCount(0)
})

test('the landing page reads in both languages without scripts', async ({ open }) => {
  for (const [locale, heading] of [
    ['en', 'Peer Lending Pool'],
    ['es', 'Fondo de Préstamos entre Particulares'],
  ] as const)
    await test.step(locale, async () => {
      const page = await open(undefined, undefined, { own: { javaScriptEnabled: false, locale } })
      await page.goto('/')
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
      for (const section of ['#how-it-works', '#features', '#about'])
        await expect(page.locator(section)).toBeVisible()
      await expect(
        page.getByRole('link', { name: /Start Investing|Empieza a invertir/ }).first(),
      ).toHaveAttribute('href', '/register')
    })
})

test('a statement prints owner, time, zone and whole rows', async ({ open, people }) => {
  const page = await open(people.investor, '/dashboard', {
    own: { timezoneId: 'America/New_York', colorScheme: 'dark' },
  })
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByText(/^Printed on .+ \(America\/New_York\)$/)).toBeVisible()
  await expect(page.locator('strong', { hasText: people.investor.username })).toBeVisible()
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
})
