import { expect, type Response } from '@playwright/test'
import type { Endpoint } from '@pool/contract/base/endpoint'
import { endpoints } from '@pool/contract/base/endpoints'
import { test } from './fixtures.ts'
import { settled } from './steps.ts'

/** Screens read lists by pages, and unchanged responses only once. */

const lists = (Object.values(endpoints) as Endpoint[])
  .filter(({ paged }) => paged)
  .map(({ path }) => new RegExp(`^${path.replace(/\{\w+\}/g, '[\\w-]{36}')}$`))
const isList = (response: Response): boolean =>
  lists.some((path) => path.test(new URL(response.url()).pathname))

for (const [who, start, screens, refresh] of [
  ['investor', '/dashboard', [], 'Refresh'],
  ['superAdmin', '/admin', ['Transactions', 'Investments', 'Wallets', 'Users'], 'Refresh Data'],
] as const) {
  test(`screens of the ${who} read pages and reuse unchanged answers`, async ({ open, people }) => {
    const page = await open(people[who])
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
  })
}
