import { expect, type Locator, type Page } from '@playwright/test'
import type { NetworkName } from '@pool/contract/base/networks'
import { createWallets, listWallets } from '@pool/contract/chain/wallets'
import { newAddress } from '../server/testing/addresses.ts'
import { violations } from './axe.ts'
import { test } from './fixtures.ts'
import { type OwnProduct, startOwnProduct } from './ownProduct.ts'
import type { Session } from './people.ts'

/** Wallets are added by list, and an investor deposits on several networks. */

// Others need a stock of one network, so these wallets have a pool of their own.
test.describe.configure({ mode: 'serial' })

let own: OwnProduct
let admin: Session

test.beforeAll(async () => {
  own = await startOwnProduct()
  admin = await own.superAdmin()
})
test.afterAll(() => own?.remove())

const addresses = (count: number, network: NetworkName): string[] =>
  Array.from({ length: count }, () => newAddress(network))

const stock = async (network: NetworkName): Promise<number> =>
  (await own.call(listWallets, admin)).filter(({ networkName }) => networkName === network).length

const openList = async (page: Page, network: NetworkName): Promise<Locator> => {
  await page.goto('/admin?tab=wallets')
  await page.getByRole('button', { name: 'Add a list' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a list of wallets' })
  await expect(dialog.getByLabel('Network')).toBeFocused()
  await dialog.getByLabel('Network').selectOption(network)
  return dialog
}

test('10,000 pasted addresses are added at one press', async ({ open }) => {
  const page = await open(admin, undefined, {
    at: own,
    own: { permissions: ['clipboard-read', 'clipboard-write'] },
  })
  const dialog = await openList(page, 'Bitcoin')
  const paste = async (text: string) => {
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
    await dialog.getByLabel('Addresses').focus()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.press('ControlOrMeta+V')
  }
  const list = addresses(10_000, 'Bitcoin')
  await paste([...list, newAddress()].join('\n'))
  await expect(dialog).toContainText('At most 10,000 addresses can be added at once')
  await paste(list.join('\n'))
  await expect(dialog).toContainText('10,000 addresses on Bitcoin')
  await expect(dialog.getByRole('definition')).toHaveText([list[0] ?? '', list.at(-1) ?? ''])
  const { promise: seen, resolve: see } = Promise.withResolvers<void>()
  await page.route(`**${createWallets.path}`, async (route) => {
    await seen
    await route.continue()
  })
  await dialog.getByRole('button', { name: 'Add 10,000 Wallets' }).click()
  await expect(dialog).toContainText('Checking 10,000 addresses. All are added, or none.')
  see()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('10,000 wallets added on Bitcoin.')).toBeVisible()
  await expect(page.getByRole('tab', { name: 'Wallets (10,000)' })).toBeVisible()
})

test('bad lines of a file are named and taken out', async ({ open }) => {
  const page = await open(admin, undefined, { at: own })
  const [first = '', second = '', third = ''] = addresses(3, 'Polygon')
  const dialog = await openList(page, 'Polygon')
  const csv = `ID,Wallet address\n1,${first}\n2,nonsense\n\n3,"${second}"\n4,${first.toLowerCase()}\n5,${third}\n`
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'wallets.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await expect(dialog).toContainText('5 addresses on Polygon')
  await dialog.getByRole('button', { name: 'Add 5 Wallets' }).click()
  await expect(dialog.getByRole('alert')).toHaveText(
    '2 of 5 addresses cannot be added on Polygon. Nothing was added.',
  )
  const lines = dialog.getByRole('list', { name: 'Lines that cannot be added' })
  await expect(lines.getByRole('listitem')).toHaveText([
    'Line 3Not a valid Polygon addressnonsense',
    `Line 6The same address as line 2${first.toLowerCase()}`,
  ])
  expect(await violations(page, '[role=dialog]')).toEqual([])
  expect(await stock('Polygon')).toBe(0)

  // By keyboard alone from here on.
  await expect(lines).toBeFocused()
  await expect(lines).toBeInViewport()
  await page.keyboard.press('Tab')
  await expect(dialog.getByRole('button', { name: 'Remove these 2 lines' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(lines).toHaveCount(0)
  await expect(dialog.getByLabel('Addresses')).toBeFocused()
  await dialog.getByRole('button', { name: 'Add 3 Wallets' }).press('Enter')
  await expect(dialog).toBeHidden()
  expect(await stock('Polygon')).toBe(3)

  // The same addresses serve another EVM network, and the same network only once.
  const again = await openList(page, 'Ethereum')
  const pasted = [first, second, third].join('\n')
  await again.getByLabel('Addresses').fill(pasted)
  await again.getByRole('button', { name: 'Add 3 Wallets' }).click()
  await expect(again).toBeHidden()
  const repeated = await openList(page, 'Ethereum')
  await repeated.getByLabel('Addresses').fill(pasted)
  await repeated.getByRole('button', { name: 'Add 3 Wallets' }).click()
  await expect(repeated.getByRole('alert')).toHaveText(
    'All of these addresses are already in the pool on Ethereum. Nothing was added.',
  )
})

test('an investor deposits on a second network', async ({ open }) => {
  const investor = await own.person()
  const page = await open(investor, '/dashboard', { at: own })
  const deposit = async (network?: string) => {
    await page
      .getByRole('button', { name: /^Deposit/ })
      .first()
      .click()
    const dialog = page.getByRole('dialog', { name: 'Initiate Deposit' })
    await dialog.getByLabel('Amount').fill('25')
    const chosen = dialog.getByLabel('Network')
    await expect(chosen.getByRole('option')).toHaveCount(3)
    if (network) await chosen.selectOption(network)
    const value = await chosen.inputValue()
    await dialog.getByRole('button', { name: 'Initiate Deposit' }).click()
    const instruction = page.getByRole('dialog', { name: 'Deposit Address' })
    const address = await instruction.getByRole('code').innerText()
    await expect(instruction).toContainText(`Send only ${value} coins to this address`)
    await instruction.getByRole('button', { name: 'Done' }).click()
    await expect(instruction).toBeHidden()
    return { network: value, address }
  }
  // An amount alone is enough: a network whose coin has a rate is chosen, then the one used last.
  expect((await deposit()).network).toBe('Ethereum')
  const first = await deposit('Bitcoin')
  const second = await deposit('Polygon')
  expect(await deposit()).toEqual(second)
  // The same address serves both networks.
  expect((await deposit('Ethereum')).address).toBe(second.address)
  expect(await deposit('Bitcoin')).toEqual(first)

  // Staff see the owner, copy the whole address, and find it on its chain.
  const desk = await open(
    admin,
    '/admin?tab=wallets&wallets-network=Polygon&wallets-status=assigned',
    { at: own, own: { permissions: ['clipboard-read', 'clipboard-write'] } },
  )
  const card = desk.getByRole('list', { name: 'Wallets' }).getByRole('listitem')
  await expect(card).toHaveCount(1)
  await expect(card).toContainText(`Belongs to ${investor.username}`)
  await expect(card.getByRole('link', { name: /block explorer$/ })).toHaveAttribute(
    'href',
    `https://polygonscan.com/address/${second.address}`,
  )
  await card.getByRole('button', { name: /^Copy Polygon address/ }).click()
  await expect(desk.getByText('Address copied to clipboard!')).toBeVisible()
  expect(await desk.evaluate(() => navigator.clipboard.readText())).toBe(second.address)
  expect(await violations(desk, '[role=tabpanel]')).toEqual([])
})
