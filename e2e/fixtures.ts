import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import {
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  type Page,
} from '@playwright/test'
import { processorSeconds } from '../ops/tests/processor.mjs'
import type { Session } from './people.ts'
import { openPool, type Pool } from './pool.ts'
import { busyInvestor } from './prepare.ts'
import { entriesOf, openContext, openSeats, type Seats } from './seats.ts'
import { settled } from './steps.ts'
import type { Size } from './widths.ts'

type Visit = {
  readonly viewport?: Size
  /** Animations run, as most users see them. */
  readonly inMotion?: boolean
  /** Another product than the run's. */
  readonly at?: Pick<Pool, 'url'>
  /** A context for this test alone: a locale, a zone, a scale, permissions, or a test of clocks. */
  readonly own?: Omit<BrowserContextOptions, 'baseURL' | 'storageState' | 'viewport'>
}

type OpenPage = (who: Session | undefined, path?: string, visit?: Visit) => Promise<Page>

type PerWorker = {
  /** The run's product. */
  readonly pool: Pool
  /** The busy investor of this worker. */
  readonly busy: Session
  readonly seats: Seats
}
type PerTest = {
  /** Sessions of people who outlive a test, for tests that change nothing of theirs. */
  readonly people: Readonly<Record<'investor' | 'superAdmin', Session>>
  /** Opens a browser of a person, or of a visitor, and waits until its page has settled. */
  readonly open: OpenPage
  /** Records seconds of a processor, as `server/testing/record.ts` does for other tests. */
  readonly cost: undefined
}

/** The browser tests' own `test`: people by SQL, and browsers that stay. */
export const test = base.extend<PerTest, PerWorker>({
  pool: [
    // Playwright wants a pattern, though it has nothing to give here.
    async ({ playwright: _ }, use, { config }) => {
      const url = config.projects[0]?.use.baseURL ?? ''
      const pool = openPool({ url, dataDir: process.env.DATA_DIR ?? '' })
      await use(pool)
      await pool.close()
    },
    { scope: 'worker' },
  ],
  busy: [async ({ pool }, use) => use(await busyInvestor(pool)), { scope: 'worker' }],
  seats: [
    async ({ browser, pool }, use) => {
      const seats = openSeats(browser, pool.url)
      await use(seats)
      await seats.close()
    },
    { scope: 'worker' },
  ],
  cost: [
    async ({ browser: _ }, use, { file, testId, project }) => {
      const before = processorSeconds()
      await use(undefined)
      const after = processorSeconds()
      const directory = process.env.TESTS_RECORDED_IN
      if (directory === undefined || before === undefined || after === undefined) return
      mkdirSync(directory, { recursive: true })
      const record = {
        file: relative(dirname(project.testDir), file).replaceAll('\\', '/'),
        seconds: after - before,
      }
      writeFileSync(join(directory, `${testId}.json`), JSON.stringify(record))
    },
    { auto: true },
  ],
  people: async ({ pool, busy }, use) =>
    use({ investor: await pool.sessionOf(busy), superAdmin: await pool.superAdmin() }),
  open: async ({ browser, seats, pool }, use) => {
    const own: BrowserContext[] = []
    await use(async (who, path, { viewport, inMotion, at, own: options } = {}) => {
      const { url } = at ?? pool
      const context = options && (await openContext(browser, who, { ...options, baseURL: url }))
      if (context) own.push(context)
      const page = context ? await context.newPage() : await seats.take(url)
      if (!context && who)
        await page.evaluate((entries) => Object.assign(localStorage, entries), entriesOf(who))
      if (viewport) await page.setViewportSize(viewport)
      if (inMotion) await page.emulateMedia({ reducedMotion: 'no-preference' })
      if (path !== undefined) {
        await page.goto(path)
        await settled(page)
      }
      return page
    })
    for (const context of own) await context.close()
    await seats.leave()
  },
})
