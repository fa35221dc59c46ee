import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { assetsOf } from '@pool/contract/base/assets'
import { networks } from '@pool/contract/base/networks'
import { deposit } from '@pool/contract/requests/requests'
import { networksOf } from '../server/base/chains/networks.ts'
import { test } from './fixtures.ts'
import { newWallet } from './prepare.ts'
import { settled } from './steps.ts'

/**
 * Attackers write into a page, or into a field that others read (docs/threats.md T4, T5, T17, T24).
 */

const run = (page: Page) =>
  page.evaluate(() => Object.keys(window).filter((name) => name.startsWith('attacked')))

/** Injects code in four ways, and waits until the page's policy has refused each. */
const inject = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    let objections = 0
    const all = new Promise<void>((resolve) => {
      document.addEventListener('securitypolicyviolation', () => {
        objections += 1
        if (objections === 4) resolve()
      })
    })
    const script = document.createElement('script')
    script.textContent = 'window.attackedByScript = true'
    document.body.append(script)
    const remote = document.createElement('script')
    remote.src = 'https://example.com/attack.js'
    document.body.append(remote)
    const holder = document.createElement('div')
    holder.innerHTML =
      '<img src="data:," onerror="window.attackedByHandler = true"><a href="javascript:window.attackedByLink = true">x</a>'
    document.body.append(holder)
    holder.querySelector('a')?.click()
    await all
    holder.remove()
  })

test('code written into any page does not run', async ({ open, people }) => {
  const visits = [
    [undefined, ['/', '/login', '/register']],
    [people.investor, ['/dashboard']],
    [people.superAdmin, ['/admin', '/admin/audit']],
  ] as const
  for (const [session, paths] of visits) {
    const page = await open(session)
    for (const path of paths) {
      await page.goto(path)
      await settled(page)
      await test.step(`${path} objects to all four`, () => inject(page))
      expect(await run(page)).toEqual([])
    }
  }
})

test("an investor's markup is text on every screen", async ({ open, pool }) => {
  const markup =
    '<img src=x onerror="window.attackedByName=1"><script>window.attackedByScript=1</script>'
  const investor = await pool.person(['USER'], {
    firstName: markup.slice(0, 45),
    lastName: '<svg onload=window.attackedBySvg=1>',
  })
  const { userId, username } = investor
  const admin = await pool.superAdmin()
  await newWallet(pool, admin)
  const { transactionId } = await pool.call(deposit, investor, {
    userId,
    amount: 50,
    description: markup,
  })
  const page = await open(admin)
  const places = [
    [`/admin?tab=users&users-search=${encodeURIComponent(username)}`, 'svg onload'],
    [`/admin?tab=transactions&transaction=${transactionId}`, 'attackedByName'],
  ] as const
  for (const [place, text] of places) {
    await page.goto(place)
    await settled(page)
    await expect(page.getByText(text).first()).toBeVisible()
    expect(await run(page)).toEqual([])
  }
})

test('the build holds no address of coins', () => {
  const build = join(import.meta.dirname, '../web/build/client')
  const files = readdirSync(build, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(js|html|json|css|webmanifest)$/.test(name),
  )
  expect(files.length).toBeGreaterThan(20)
  const shaped = files.flatMap(
    (name) =>
      readFileSync(join(build, name), 'utf8').match(/\b(0x[\da-fA-F]{40}|[a-zA-Z\d]{26,64})\b/g) ??
      [],
  )
  // Payment links name the contracts of tokens.
  const tokens = networks.flatMap(({ name }) => assetsOf(name).map(({ token }) => token))
  const isAddress = (text: string) =>
    networksOf(text, 'sandbox').some((network) => network !== 'Solana')
  expect(shaped.filter((text) => isAddress(text) && !tokens.includes(text))).toEqual([])
})
