import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { expect, type Page } from '@playwright/test'
import { createWallet } from '@pool/contract/chain/wallets'
import { type LiabilityProof, readProof } from '@pool/contract/reports/liabilities'
import { confirm } from '@pool/contract/requests/decisions'
import { deposit } from '@pool/contract/requests/requests'
import { newAddress } from '../server/testing/addresses.ts'
import { dayFrom } from '../server/testing/loans.ts'
import { connectTo } from '../server/testing/process.ts'
import { tamper } from '../server/testing/tamper.ts'
import { test } from './fixtures.ts'
import { type OwnProduct, startOwnProduct } from './ownProduct.ts'
import type { Session } from './people.ts'
import { expectAccessible } from './steps.ts'

/** An investor checks that the published sum has their amount, in the browser and offline. */

test.describe.configure({ mode: 'serial', timeout: 240_000 })

const OFFLINE = pathToFileURL('docs/verify/liabilities.html').href
const PROOF = '**/api/v1/user/liabilities/*'

let own: OwnProduct
let database: ReturnType<typeof connectTo>
let investor: Session

test.beforeAll(async () => {
  own = await startOwnProduct()
  database = connectTo(own)
  const staff = await own.superAdmin()
  investor = await own.person()
  await own.call(createWallet, staff, { address: newAddress(), networkName: 'Bitcoin' })
  const { userId } = investor
  const { transactionId } = await own.call(deposit, investor, { userId, amount: 250 })
  await own.call(confirm, staff, { transactionId })
})
test.afterAll(async () => {
  await database?.close()
  await own?.remove()
})

/** Takes the tree of the start away, in which the investor is not. */
const forget = () =>
  tamper(
    database,
    "DELETE FROM liability_trees; DELETE FROM liability_leaves; DELETE FROM audit_entries WHERE action = 'liabilities.published'",
  )

const card = (page: Page) => page.getByRole('region', { name: 'Verify your balance' })

/** The card at the end of the dashboard, once its user comes to it. */
const near = async (page: Page) => {
  await expect(async () => {
    await page.getByRole('contentinfo').scrollIntoViewIfNeeded({ timeout: 1_000 })
    await expect(card(page)).toBeVisible({ timeout: 1_000 })
  }).toPass()
  return card(page)
}

const press = async (page: Page) =>
  card(page)
    .getByRole('button', { name: /^Check (now|again)$/ })
    .press('Enter')

test('a sum from before the account says so', async ({ open }) => {
  const page = await open(investor, '/dashboard', { at: own })
  await near(page)
  await forget()
  // The list is kept for some seconds.
  await expect(async () => {
    await press(page)
    await expect(card(page)).toContainText('The pool has published no sum yet', { timeout: 3_000 })
  }).toPass({ timeout: 60_000 })
  expect((await own.command('liabilities', 'make')).text).toContain('is published')
  await tamper(database, `DELETE FROM liability_leaves WHERE user_id = '${investor.userId}'`)
  await expect(async () => {
    await press(page)
    await expect(card(page).getByRole('alert')).toContainText('has no entry of your account', {
      timeout: 3_000,
    })
  }).toPass({ timeout: 60_000 })
  const { code, text } = await own.command('liabilities', 'check')
  expect([code, text]).toEqual([1, expect.stringMatching(/a leaf between .* taken away/)])
  await forget()
  await own.command('liabilities', 'make')
  expect((await own.command('liabilities', 'check')).text).toContain('1 days are whole')
})

test('an investor checks the sum, online and offline', async ({ open, browser }, info) => {
  const page = await open(investor, '/dashboard', { at: own })
  await near(page)
  await press(page)
  await expect(card(page).getByRole('heading', { name: 'You are included.' })).toBeVisible()
  await expect(card(page)).toContainText('Your amount is in 8 parts')
  await expect(card(page)).toContainText('It owed you $250.00 at')
  await expect(card(page)).toContainText('It does not prove that the pool can pay')
  await expectAccessible(page, 'dashboard-included')
  const files: string[] = []
  for (const save of [
    card(page).getByRole('button', { name: 'Save the proof' }),
    card(page).getByRole('link', { name: "The day's file" }),
    card(page).getByRole('link', { name: 'The public keys' }),
  ]) {
    const [download] = await Promise.all([page.waitForEvent('download'), save.press('Enter')])
    const path = info.outputPath(download.suggestedFilename())
    await download.saveAs(path)
    files.push(path)
  }
  expect(files[0]).toMatch(new RegExp(`liability-proof-${dayFrom(0)}.json$`))
  const context = await browser.newContext({ offline: true })
  const alone = await context.newPage()
  await alone.goto(OFFLINE)
  const said = alone.locator('output')
  await alone.getByLabel('The three files').setInputFiles(files)
  await expect(said).toContainText('The proof is of another account')
  await alone.getByLabel(/^The id of your account/).fill(investor.userId)
  await expect(said).toContainText('You are included.')
  await expect(said).toContainText('$250.00')
  await alone.getByLabel('The three files').setInputFiles(files.slice(0, 2))
  await expect(said).toContainText('Choose the proof, the file of its day, and the public keys.')
  const [proof = '', ...others] = files
  const less = `${await readFile(proof)}`.replace(/"available": "\d/, '"available": "9')
  await alone.getByLabel('The three files').setInputFiles([
    { name: 'less.json', mimeType: 'application/json', buffer: Buffer.from(less) },
    ...(await Promise.all(
      others.map(async (path) => ({
        name: 'other.json',
        mimeType: 'application/json',
        buffer: await readFile(path),
      })),
    )),
  ])
  await expect(said).toContainText('Your amount is not in the sum.')
  await context.close()
})

test('a pool that lies is found out', async ({ open }) => {
  const page = await open(investor, '/dashboard', { at: own })
  await near(page)
  const proof = await own.call(readProof, investor, undefined, { day: dayFrom(0) })
  type Right = Exclude<LiabilityProof, { version: 1 }>
  const lies: readonly (readonly [(right: Right) => object, string])[] = [
    [
      ({ leaves: [first, ...others], ...right }) => ({
        ...right,
        leaves: [{ ...first, owed: { ...first?.owed, available: '1' } }, ...others],
      }),
      'The path does not lead to the signed root',
    ],
    [(right) => ({ ...right, account: crypto.randomUUID() }), 'The proof is of another account.'],
    [
      (right) => ({ ...right, signed: { ...right.signed, signature: 'A'.repeat(86) } }),
      'The signature of the file is wrong.',
    ],
    [
      ({ leaves, ...right }) => ({
        ...right,
        leaves: leaves.map((leaf) => ({ ...leaf, path: leaf.path.slice(1) })),
      }),
      'another length than the tree',
    ],
    [
      ({ leaves, ...right }) => ({ ...right, leaves: leaves.slice(1) }),
      'another number of parts than the file says',
    ],
  ]
  for (const [change, sentence] of lies) {
    const body = change(proof as Right)
    await page.route(PROOF, (route) =>
      route.fulfill({ json: { successful: true, narration: 'OK', body } }),
    )
    await press(page)
    await expect(card(page).getByRole('alert')).toContainText(sentence)
    await expect(card(page).getByText('You are included.')).toBeHidden()
    await page.unroute(PROOF)
  }
  await expectAccessible(page, 'dashboard-not-included')
  await page.route(PROOF, (route) => route.abort())
  await press(page)
  await expect(card(page).getByRole('alert')).toBeVisible()
  await page.unroute(PROOF)
  await press(page)
  await expect(card(page).getByRole('heading', { name: 'You are included.' })).toBeVisible()
})

test('everybody reads the sums of each day', async ({ open }) => {
  const page = await open(undefined, '/pool?tab=proof', { at: own })
  const region = page.getByRole('region', { name: 'What investors are owed', exact: true })
  await expect(region.getByRole('row')).toHaveCount(2, { timeout: 60_000 })
  await expect(region.getByRole('row').nth(1)).toContainText('$250.00')
  await expect(region).toContainText('It does not prove that coins and loans exist.')
  await expectAccessible(page, 'pool-liabilities')
  const spanish = await open(undefined, '/pool?tab=proof&lang=es', { at: own })
  await expect(
    spanish.getByRole('heading', { name: 'Lo que se debe a los inversores' }),
  ).toBeVisible({ timeout: 60_000 })
})
