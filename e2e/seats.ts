import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test'
import { storageKeys } from '@pool/contract/accounts/session'
import { roleFrom } from '@pool/contract/accounts/users'
import type { Session } from './people.ts'
import { DESK } from './widths.ts'

/**
 * A browser that its worker keeps for the next test. A page that stays compiles the app once:
 * a visit in it takes two thirds of the processor time of a visit in a new context.
 */
type Seat = { readonly context: BrowserContext; readonly page: Page }

export type Seats = {
  /** A cleared page of the next free seat, for the product at this URL. */
  readonly take: (url: string) => Promise<Page>
  /** Clears the taken seats. */
  readonly leave: () => Promise<void>
  readonly close: () => Promise<void>
}

const CALM = { media: null, colorScheme: null, reducedMotion: 'reduce' } as const
const HEARD = ['console', 'pageerror', 'request', 'requestfailed', 'response', 'download'] as const

/** The entries that a signed-in browser stores. */
export const entriesOf = ({ token, username, userId, roles }: Session) => ({
  [storageKeys.token]: token,
  [storageKeys.username]: username,
  [storageKeys.userId]: userId,
  [storageKeys.role]: roleFrom(roles),
})

/** Makes the page as a browser starts: one tab, nothing stored, no listener, route or emulation. */
const clear = async ({ context, page }: Seat): Promise<void> => {
  for (const other of context.pages()) if (other !== page) await other.close()
  for (const event of HEARD) page.removeAllListeners(event)
  await context.setOffline(false)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.goto('/robots.txt')
  await page.evaluate(() => [localStorage, sessionStorage].map((storage) => storage.clear()))
  await context.clearCookies()
  await page.emulateMedia(CALM)
  await page.setViewportSize(DESK)
  await page.mouse.move(0, 0)
}

/** Opens the seats of a worker, whose tests visit the product at `home` and one other at a time. */
export const openSeats = (browser: Browser, home: string): Seats => {
  let seats: readonly (Seat & { readonly url: string })[] = []
  const taken = new Set<Page>()
  const drop = async (isDropped: (seat: (typeof seats)[number]) => boolean) => {
    const dropped = seats.filter(isDropped)
    seats = seats.filter((seat) => !isDropped(seat))
    for (const { context } of dropped) await context.close()
  }
  return {
    take: async (url) => {
      const free = seats.find((seat) => seat.url === url && !taken.has(seat.page))
      if (free) {
        taken.add(free.page)
        return free.page
      }
      await drop((seat) => seat.url !== home && seat.url !== url)
      const context = await browser.newContext({ baseURL: url, viewport: DESK })
      const page = await context.newPage()
      const seat = { url, context, page }
      seats = [...seats, seat]
      taken.add(page)
      await clear(seat)
      return page
    },
    leave: async () => {
      await drop(({ page }) => page.isClosed())
      // A test may have ended the product of its seat.
      for (const seat of seats)
        if (taken.has(seat.page)) await clear(seat).catch(() => drop((one) => one === seat))
      taken.clear()
    },
    close: () => drop(() => true),
  }
}

/** A context of its own, for what a seat cannot take back: a zone, a scale, a clock. */
export const openContext = (
  browser: Browser,
  session: Session | undefined,
  { baseURL = '', ...options }: BrowserContextOptions,
): Promise<BrowserContext> => {
  const localStorage = Object.entries(session ? entriesOf(session) : {}).map(([name, value]) => ({
    name,
    value,
  }))
  return browser.newContext({
    viewport: DESK,
    reducedMotion: 'reduce',
    ...options,
    baseURL,
    storageState: { cookies: [], origins: [{ origin: baseURL, localStorage }] },
  })
}
