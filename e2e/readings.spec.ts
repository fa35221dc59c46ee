import { type APIRequestContext, expect, type Response, test } from '@playwright/test'
import type { Endpoint } from '@pool/contract/endpoint'
import { endpoints } from '@pool/contract/endpoints'
import { SUPER_ADMIN } from './people.ts'
import { busyInvestor, type Session, signedIn, startSession } from './prepare.ts'
import { settled } from './steps.ts'

/** Screens read lists by pages, and unchanged responses only once. */

let api: APIRequestContext
let people: Readonly<Record<'investor' | 'admin', Session>>

test.beforeAll(async ({ playwright, baseURL }) => {
  api = await playwright.request.newContext({ baseURL: baseURL ?? '' })
  people = { investor: await busyInvestor(api), admin: await startSession(SUPER_ADMIN, api) }
})
test.afterAll(() => api.dispose())

const lists = (Object.values(endpoints) as Endpoint[])
  .filter(({ paged }) => paged)
  .map(({ path }) => new RegExp(`^${path.replace(/\{\w+\}/g, '[\\w-]{36}')}$`))
const isList = (response: Response): boolean =>
  lists.some((path) => path.test(new URL(response.url()).pathname))

for (const [who, start, screens, refresh] of [
  ['investor', '/dashboard', [], 'Refresh'],
  ['admin', '/admin', ['Transactions', 'Investments', 'Wallets', 'Users'], 'Refresh Data'],
] as const) {
  test(`screens of the ${who} read pages and reuse unchanged answers`, async ({
    browser,
    baseURL,
  }) => {
    const context = await signedIn(browser, people[who], { baseURL })
    const page = await context.newPage()
    const answers: Response[] = []
    page.on('response', (response) => isList(response) && answers.push(response))
    await page.goto(start)
    await settled(page)
    for (const screen of screens) {
      await page.getByRole('tab', { name: new RegExp(`^${screen}`) }).click()
      await settled(page)
    }
    expect(answers.length).toBeGreaterThan(1)
    for (const response of answers)
      expect(new URL(response.url()).searchParams.get('limit'), response.url()).toMatch(/^\d+$/)

    const unchanged = page.waitForResponse(
      (response) => isList(response) && response.status() === 304,
    )
    await page.getByRole('button', { name: refresh, exact: true }).first().click()
    expect((await unchanged).headers()['cache-control']).toBe('no-store')
    await settled(page)
    await expect(page.getByRole('alert')).toHaveCount(0)
    await context.close()
  })
}
