import { gzipSync } from 'node:zlib'
import { expect, type Page, type Request, type Response } from '@playwright/test'
import type { Language } from '@pool/contract/base/languages'
import { firstLoad } from '../web/firstLoad.ts'
import { violations } from './axe.ts'
import { test } from './fixtures.ts'
import { screens } from './pages.ts'
import { settled, withoutChanges } from './steps.ts'
import { PHONE } from './widths.ts'

/** Every screen: its size, stability, metadata, fit, first Tab and label. */

type Script = { readonly name: string; readonly bytes: number }
const weighed = (name: string, content: string | Buffer): Script => ({
  name,
  bytes: gzipSync(content, { level: 9 }).length,
})
const known = new Map<string, Script>()
/** A script's weight, measured once: its name has the hash of its content. */
const scriptOf = async (response: Response): Promise<Script> => {
  const name = new URL(response.url()).pathname
  const script = known.get(name) ?? weighed(name, await response.body())
  known.set(name, script)
  return script
}

/** The most JavaScript of a first load, gzipped. */
const BUDGETS: Readonly<Record<string, number>> = {
  '/': 110_000,
  '/dashboard': 197_000,
  '/admin/networks': 198_500,
  '/security': 196_000,
  '/admin': 202_500,
  '/admin/audit': 199_900,
  '/admin/rates': 198_000,
  '/admin/borrowers': 199_000,
  // With its figures, which may come in time.
  '/pool': 200_000,
}
const BUDGET = 190_000

/** Collects what a page asks for and loads. Returns its weight so far, in bytes of JavaScript. */
const weighing = (page: Page) => {
  const asked: string[] = []
  const loaded: Promise<Script>[] = []
  const ask = (request: Request) => asked.push(new URL(request.url()).pathname)
  const load = (response: Response) => {
    if (response.request().resourceType() === 'script') loaded.push(scriptOf(response))
  }
  page.on('request', ask)
  page.on('response', load)
  return async (): Promise<readonly Script[]> => {
    const inline = await page
      .locator('script:not([src]):not([type="application/json"])')
      .allTextContents()
    // The next document ends the bodies of this one.
    page.off('request', ask)
    page.off('response', load)
    const first = new Set(firstLoad(asked))
    return [
      ...inline.map((text) => weighed('in the page', text)),
      ...(await Promise.all(loaded)).filter(({ name }) => first.has(name)),
    ]
  }
}

/** The shifts of the layout so far, each with the parts that moved. */
const shifts = (page: Page): Promise<readonly string[]> =>
  page.evaluate(
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

/** A small laptop. */
const SHALLOW = { width: 1280, height: 720 }

/** The number of elements that move or fade for longer than a frame. */
const movingCount = (page: Page): Promise<number> =>
  page.evaluate(() => {
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

for (const { path, by, title } of screens)
  test(`${path} is light, stable, named and reachable`, async ({ open, people }) => {
    const who = by === 'visitor' ? undefined : people[by]
    // A first visit, with nothing in the cache.
    const page = await open(who, undefined, {
      viewport: SHALLOW,
      own: { reducedMotion: 'no-preference' },
    })
    await withoutChanges(page)
    const weigh = weighing(page)
    const first = await page.goto(path)
    await settled(page)
    const isTitled = async (served: Response | null, language: Language) => {
      expect((await served?.text())?.match(/<title>/g)).toHaveLength(1)
      // Staff read the number of waiting requests first.
      await expect(page).toHaveTitle(new RegExp(`^(\\(\\d+\\) )?${title[language]}$`))
      await expect(page.locator('html')).toHaveAttribute('lang', language)
    }

    await test.step('it keeps its JavaScript budget', async () => {
      const scripts = await weigh()
      const weight = scripts.reduce((sum, { bytes }) => sum + bytes, 0)
      expect(
        weight,
        JSON.stringify(scripts.toSorted((a, b) => b.bytes - a.bytes)),
      ).toBeLessThanOrEqual(BUDGETS[path] ?? BUDGET)
    })

    await test.step("it has a title in 'en'", () => isTitled(first, 'en'))

    await test.step('it does not shift', async () => {
      expect(await shifts(page)).toEqual([])
      // Nor while the document arrives: it is drawn once it is read up to this mark.
      const mark = await page.locator('link[rel="expect"][blocking="render"]').getAttribute('href')
      await expect(page.locator(mark ?? '')).toBeAttached()
    })

    await test.step('the first Tab skips the bar', async () => {
      await page.bringToFront()
      await page.keyboard.press('Tab')
      await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(page.locator('main')).toBeFocused()
    })

    await test.step('it is labelled as a sandbox except in live mode', async () => {
      await page.setViewportSize({ ...PHONE, height: 667 })
      const label = page.getByRole('complementary', { name: 'Sandbox' })
      await expect(label).toHaveText('Sandbox All money here is play money.')
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
      await expect(label).toBeInViewport({ ratio: 1 })
      await page.evaluate(() => {
        document.documentElement.dataset.poolMode = 'live'
      })
      await expect(label).toBeHidden()
    })

    await test.step("it has a title in 'es'", async () => {
      await isTitled(await page.goto(`${path}?lang=es`), 'es')
    })

    await test.step('nothing moves when less motion is preferred', async () => {
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await settled(page)
      if (path === '/dashboard')
        await page
          .getByRole('button', { name: /^Deposit/ })
          .first()
          .click()
      expect(await movingCount(page)).toBe(0)
    })
  })

/** A small laptop at 200 %. */
const ZOOMED = { width: 640, height: 450 }

for (const who of ['visitor', 'investor', 'superAdmin'] as const)
  test(`screens of the ${who} fit zoomed and on phones`, async ({ open, people }) => {
    const session = who === 'visitor' ? undefined : people[who]
    const page = await open(session, undefined, {
      viewport: ZOOMED,
      own: { deviceScaleFactor: 2 },
    })
    for (const { path } of screens.filter(({ by }) => by === who))
      await test.step(path, async () => {
        await page.goto(path)
        await settled(page)
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
          640,
        )
        // The walks look for more than colours on a desk alone.
        await page.setViewportSize(PHONE)
        expect(await violations(page)).toEqual([])
        await page.setViewportSize(ZOOMED)
      })
    if (who !== 'investor') return
    await test.step('a dialog is within reach', async () => {
      await page.goto('/dashboard')
      await page.getByRole('button', { name: /^Invest/ }).click()
      const submit = page.getByRole('dialog').getByRole('button', { name: 'Make Investment' })
      await submit.scrollIntoViewIfNeeded()
      await expect(submit).toBeInViewport({ ratio: 1 })
    })
  })
