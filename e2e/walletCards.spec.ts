import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import type { NetworkName } from '@pool/contract/base/networks'
import { createWallet } from '@pool/contract/chain/wallets'
import { deposit } from '@pool/contract/requests/requests'
import { newAddress } from '../server/testing/addresses.ts'
import { violations } from './axe.ts'
import { KEYS } from './coinsActs.ts'
import { test } from './fixtures.ts'
import { type OwnProduct, startOwnProduct } from './ownProduct.ts'
import type { Session } from './people.ts'
import { pressIn } from './steps.ts'
import { PHONE } from './widths.ts'

/** A wallet's card leads to its owner, archives and restores. Few free wallets are told. */

// Others need a stock of one network, so these wallets have a pool of their own.
test.describe.configure({ mode: 'serial' })

let own: OwnProduct
let admin: Session

test.beforeAll(async () => {
  own = await startOwnProduct()
  admin = await own.superAdmin()
})
test.afterAll(() => own?.remove())

const add = (networkName: NetworkName, address = newAddress(networkName)) =>
  own.call(createWallet, admin, { address, networkName })
const ask = (investor: Session, networkName: NetworkName) =>
  own.call(deposit, investor, { userId: investor.userId, amount: 50, networkName })

const cards = (page: Page) => page.getByRole('list', { name: 'Wallets' }).getByRole('listitem')
const dialog = (page: Page) => page.getByRole('dialog')

test('an assigned card leads to its owner and is archived', async ({ open }) => {
  const investor = await own.person()
  for (let n = 0; n < 3; n += 1) await add('Bitcoin')
  await ask(investor, 'Bitcoin')
  const page = await open(admin, '/admin?tab=wallets', { at: own })
  const card = cards(page).filter({ hasText: 'Assigned' })
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
  expect(lines[0]).toContain('Status,Investor,Created (UTC),Archived (UTC)')
  expect(lines.filter((line) => line.includes(`,Assigned,${investor.username},`))).toHaveLength(1)

  // By keyboard alone: the icon offers to archive, and says what it means.
  await card.getByRole('button', { name: /^Delete wallet/ }).press('Enter')
  await expect(dialog(page)).toContainText('This wallet is assigned and cannot be deleted.')
  await expect(dialog(page)).toContainText(`Belongs to ${investor.username}`)
  expect(await violations(page, '[role=dialog]')).toEqual([])
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await expect(card.getByRole('button', { name: /^Delete wallet/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await pressIn(dialog(page), 'Archive')
  await expect(page.getByText('Wallet archived successfully!')).toBeVisible()
  await expect(dialog(page)).toHaveCount(0)
  await expect(cards(page)).toHaveCount(2)
  await expect(page.getByRole('tab', { name: 'Wallets (2)' })).toBeVisible()

  await page.getByRole('link', { name: '1 archived' }).click()
  await expect(cards(page)).toHaveCount(1)
  await expect(cards(page)).toContainText('Archived')
  await cards(page)
    .getByRole('button', { name: /^Restore wallet/ })
    .click()
  await dialog(page).getByRole('button', { name: 'Restore', exact: true }).click()
  await expect(page.getByText('Wallet restored successfully!')).toBeVisible()
  await page.goto('/admin?tab=wallets')
  await expect(cards(page)).toHaveCount(3)

  await card.getByRole('link', { name: investor.username }).click()
  await expect(page).toHaveURL(new RegExp(`/admin/users/${investor.userId}$`))
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('an address is not restored beside its successor', async ({ open }) => {
  const investor = await own.person()
  const page = await open(admin, undefined, { at: own })
  const { address } = await ask(investor, 'Bitcoin')
  await page.goto(`/admin?tab=wallets&wallets-search=${address}`)
  await page.getByRole('button', { name: /^Delete wallet/ }).click()
  await dialog(page).getByRole('button', { name: 'Archive', exact: true }).click()
  await expect(cards(page)).toHaveCount(0)
  const next = await ask(investor, 'Bitcoin')
  expect(next.address).not.toBe(address)
  await page.goto(`/admin?tab=wallets&wallets-status=archived&wallets-search=${address}`)
  await page.getByRole('button', { name: /^Restore wallet/ }).click()
  await dialog(page).getByRole('button', { name: 'Restore', exact: true }).click()
  await expect(dialog(page).getByRole('alert')).toHaveText(
    'This address belongs to an investor who already has another address on Bitcoin.',
  )
})

test('a network nearly out of wallets is named', async ({ open }) => {
  for (let n = 0; n < 12; n += 1) await add('Solana')
  for (let n = 0; n < 2; n += 1) await add('Polygon')
  const page = await open(admin, '/admin', { at: own })
  const notice = page.getByRole('status').filter({ hasText: 'deposit wallet' })
  // Bitcoin gave its last one to the tests above.
  const bitcoin = 'Bitcoin: no deposit wallet is available. Add wallets'
  await expect(notice.getByRole('paragraph')).toHaveText([bitcoin])

  // It is told as it happens.
  await ask(await own.person(), 'Polygon')
  const polygon = 'Polygon: only 1 of 2 deposit wallets is available. Add wallets'
  await expect(notice.getByRole('paragraph')).toHaveText([bitcoin, polygon])
  expect(await violations(page, 'main')).toEqual([])

  await notice.getByRole('link', { name: 'Add wallets on Polygon' }).click()
  await expect(cards(page)).toHaveCount(2)
  await page.getByRole('button', { name: 'Add Wallet' }).click()
  await expect(dialog(page).getByLabel('Network')).toHaveValue('Polygon')
  await dialog(page).getByLabel('Wallet address').fill(newAddress('Polygon'))
  await dialog(page).getByRole('button', { name: 'Add Wallet' }).click()
  await expect(notice.getByRole('paragraph')).toHaveText([bitcoin])
})

test('a second member of staff compares added addresses', async ({ open }) => {
  const adder = await own.person(['ADMIN'], { firstName: 'Alan', lastName: 'Turing' })
  const [address, ...list] = Array.from({ length: 13 }, () => newAddress('Bitcoin'))
  await own.addWaiting(adder, [address ?? ''])
  await own.addWaiting(adder, list)
  const page = await open(admin, '/admin?tab=wallets', { at: own, viewport: PHONE })
  const section = page.getByRole('region', { name: 'Waiting for a second person' })
  const lines = section.getByRole('listitem')
  const one = lines.filter({ hasText: `: 1, from ${address}` })
  await expect(one).toContainText(adder.username)
  expect(await violations(page, 'main')).toEqual([])

  // By keyboard alone: the address in groups, and a tick before the press.
  await one.getByRole('button', { name: /^Compare/ }).press('Enter')
  await expect(dialog(page)).toContainText(adder.username)
  await expect(dialog(page).getByRole('listitem')).toHaveText(
    address?.match(/.{1,4}/g)?.join(' ') ?? '',
  )
  expect(await violations(page, '[role=dialog]')).toEqual([])
  await expect(dialog(page).getByRole('button', { name: 'Compare first' })).toBeVisible()
  await dialog(page).getByRole('checkbox').press('Space')
  await pressIn(dialog(page), 'Confirm address')
  await expect(dialog(page)).toHaveCount(0)
  await expect(lines).toHaveCount(1)
  await expect(cards(page).filter({ hasText: 'Available' }).first()).toBeVisible()

  await section.getByRole('button', { name: /^Compare/ }).click()
  const pasted = dialog(page).getByLabel('The list from the wallet of the pool')
  await pasted.fill(list.slice(1).join('\n'))
  await expect(dialog(page).getByRole('status')).toContainText(list[0] ?? '')
  await pasted.fill(list.toReversed().join('\n'))
  await expect(dialog(page).getByRole('status')).toHaveText('All 12 addresses are the same.')
  await dialog(page).getByRole('button', { name: 'Confirm 12 addresses' }).click()
  await expect(section).toHaveCount(0)

  // The adder sees the own addresses, and may only withdraw them.
  await own.addWaiting(admin, [newAddress('Bitcoin')])
  await page.reload()
  await expect(section.getByRole('button', { name: /^Compare/ })).toHaveCount(0)
  await section.getByRole('button', { name: /^Withdraw/ }).click()
  await expect(section).toHaveCount(0)
})

test('a key is shown before it is added', async ({ open }) => {
  const page = await open(admin, '/admin?tab=wallets', { at: own })
  await page.getByRole('button', { name: 'Add key' }).click()
  await dialog(page).getByLabel('Network').selectOption('Bitcoin')
  const field = dialog(page).getByLabel('Descriptor or public key')
  const sent: string[] = []
  page.on('request', (request) => sent.push(request.postData() ?? ''))
  await field.fill(`xprv${KEYS.Ethereum.slice(4)}`)
  await expect(dialog(page).getByRole('alert')).toContainText('Never paste it anywhere')
  await expect(field).toHaveValue('')
  await field.fill('abandon ability able')
  await expect(field).toHaveAccessibleDescription(/no public key of an account/)
  await dialog(page).getByRole('button', { name: 'Add key' }).click()
  await expect(field).toBeFocused()
  await expect(dialog(page).getByText('no public key of an account')).toHaveCount(1)
  expect(sent.filter((data) => /prv|abandon/.test(data))).toEqual([])

  await field.fill(KEYS.Bitcoin.slice(0, -1))
  await expect(dialog(page).getByRole('status')).toContainText('no public key of an account')
  await field.fill(KEYS.Bitcoin)
  await expect(dialog(page).getByRole('listitem').first()).toHaveText(
    'bc1q cr8t e4kr 609g cawu tmrz a0j4 xv80 jy8z 306f yu',
  )
  expect(await violations(page, '[role=dialog]')).toEqual([])
  await dialog(page).getByRole('button', { name: 'Add key' }).click()
  const card = page.getByRole('listitem').filter({ hasText: 'Key on Bitcoin' })
  await expect(card).toContainText('Next number20')

  await card.getByRole('button', { name: 'End the key on Bitcoin' }).press('Enter')
  await expect(dialog(page)).toContainText('the 20 without an investor are deleted')
  expect(await violations(page, '[role=dialog]')).toEqual([])
  await dialog(page).getByRole('button', { name: 'End key' }).click()
  await expect(card).toHaveCount(0)
  // The pressed button is gone with its card.
  await expect(page.getByRole('main')).toBeFocused()
})
