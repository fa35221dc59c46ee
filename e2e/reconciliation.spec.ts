import { expect } from '@playwright/test'
import { listChains } from '@pool/contract/chain/chains'
import { setRate } from '@pool/contract/chain/rates'
import { createWallet } from '@pool/contract/chain/wallets'
import { readReconciliation } from '@pool/contract/coins/reconciliation'
import { deposit } from '@pool/contract/requests/requests'
import { newAddress } from '../server/testing/addresses.ts'
import { ANVIL_CHAIN, type Anvil, hasAnvil, startAnvil } from '../server/testing/anvil.ts'
import { chainsFile } from '../server/testing/playNode.ts'
import { test } from './fixtures.ts'
import { type OwnProduct, startOwnProduct } from './ownProduct.ts'
import { expectAccessible } from './steps.ts'
import { PHONE } from './widths.ts'

/** Coins on the chains beside the books: a theft pauses withdrawals, and two people end that. */

test.skip(!hasAnvil, 'npm has no Anvil for this machine')

// One product serves all of them.
test.describe.configure({ mode: 'default' })

let anvil: Anvil
let own: OwnProduct

test.beforeAll(async () => {
  anvil = await startAnvil()
  const evm = { kind: 'evm', url: anvil.url, chainId: ANVIL_CHAIN, pollSeconds: 1 }
  own = await startOwnProduct({
    CHAINS: chainsFile({ Ethereum: evm }),
    AUTO_CONFIRM_UP_TO: '1000',
  })
})
test.afterAll(async () => {
  await own?.remove()
  await anvil?.stop()
})

/** Makes the present block final, waits until it was read, and compares. */
const compare = async () => {
  const reader = await own.superAdmin()
  const height = Number(await anvil.ask<string>('eth_blockNumber'))
  await anvil.ask('anvil_mine', '0x44')
  await expect
    .poll(async () => ((await own.call(listChains, reader))[0]?.finalHeight ?? 0) >= height, {
      timeout: 60_000,
    })
    .toBe(true)
  return own.command('chainsCheck')
}

test('the page waits, fails and is empty in words', async ({ open }) => {
  const page = await open(await own.superAdmin(), '/admin/networks', { at: own })
  const call = `**${readReconciliation.path}`
  await page.route(call, () => undefined)
  await page.goto('/admin/reconciliation')
  await expect(page.getByRole('status', { name: 'Loading the comparison' })).toBeVisible()
  await expectAccessible(page, 'reconciliationLoading')
  await page.unroute(call)
  await page.route(call, (route) => route.abort())
  await page.goto('/admin/reconciliation')
  const again = page.getByRole('button', { name: 'Retry' })
  await expect(again).toBeVisible({ timeout: 60_000 })
  await expectAccessible(page, 'reconciliationFailed')
  await page.unroute(call)
  const answer = { hasNodes: false, isPaused: false, newest: null, earlier: [] }
  await page.route(call, (route) =>
    route.fulfill({ json: { successful: true, narration: '', body: answer } }),
  )
  await again.press('Enter')
  await expect(page.getByText('No network has a node')).toBeVisible()
  await expectAccessible(page, 'reconciliationEmpty')
})

test('a theft pauses withdrawals until two people agree', async ({ open }) => {
  const [first, second] = [await own.superAdmin(), await own.person(['SUPER_ADMIN'])]
  const [investor, auditor] = [await own.person(), await own.person(['AUDITOR'])]
  const [address, safe] = [newAddress('Ethereum'), newAddress('Ethereum')]
  await own.call(createWallet, first, { address, networkName: 'Ethereum' })
  await own.call(setRate, first, { coin: 'ETH', dollars: '2000' })
  await own.call(deposit, investor, {
    userId: investor.userId,
    amount: 100,
    networkName: 'Ethereum',
  })

  const page = await open(first, '/admin/networks', { at: own })
  await page.getByRole('link', { name: 'Coins compared with the books' }).click()
  await expect(page).toHaveURL('/admin/reconciliation')
  await expect(page.getByRole('main')).toContainText('Not compared yet')
  await expectAccessible(page, 'reconciliationNone')

  await anvil.pay(address, 10n ** 18n)
  expect((await compare()).code).toBe(0)
  const verdict = page.getByRole('main').getByRole('status').first()
  await expect(verdict).toContainText('The coins match the books.', { timeout: 60_000 })
  const ether = page.getByRole('region', { name: 'ETH on Ethereum' })
  await expect(ether).toContainText('Equal')
  await expect(ether.getByRole('row', { name: /^Deposit/ })).toHaveText(/^Deposit11$/)
  await expectAccessible(page, 'reconciliation')

  await anvil.ask('anvil_setBalance', address, '0x0')
  expect((await compare()).code).toBe(1)
  await expect(verdict).toContainText('differ from the books by $2,000.00', { timeout: 60_000 })
  await expect(ether).toContainText('Break: -1 ETH')
  await expectAccessible(page, 'reconciliationBreak')

  await test.step('every screen says why', async () => {
    const phone = await open(investor, '/dashboard?lang=es', { at: own, viewport: PHONE })
    await phone
      .getByRole('button', { name: /^Retirar/ })
      .first()
      .press('Enter')
    await expect(phone.getByRole('dialog').getByRole('status').first()).toContainText(
      'monedas de una red no coinciden con nuestros libros',
    )
    const visitor = await open(undefined, '/?lang=es', { at: own })
    await expect(visitor.getByRole('status')).toContainText(
      'monedas de una red no coinciden con nuestros libros',
    )
    const queue = await open(second, '/admin', { at: own })
    await expect(queue.getByRole('status').first()).toContainText('differ from our books')
    await queue.getByRole('link', { name: 'See the reconciliation' }).click()
    await expect(queue).toHaveURL('/admin/reconciliation')
    const read = await open(auditor, '/admin/reconciliation', { at: own })
    await expect(read.getByRole('main')).toContainText('Withdrawals are paused')
    await expect(read.getByRole('button', { name: 'Resume withdrawals' })).toHaveCount(0)
  })

  await test.step('two super admins end it with a reason', async () => {
    await page.getByRole('button', { name: 'Resume withdrawals' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Resume withdrawals?' })
    const asks = dialog.getByRole('button', { name: 'Ask a second super admin' })
    await asks.press('Enter')
    await expect(dialog).toContainText('Please fill in every field.')
    await dialog.getByLabel('Reason').fill('Sold at an exchange')
    await expectAccessible(page, 'endBreak', '[role=dialog]')
    await asks.press('Enter')
    await expect(dialog).toHaveCount(0)
    const queue = await open(second, '/admin', { at: own })
    await queue.getByRole('button', { name: /^Let withdrawals go on with a difference/ }).click()
    await queue.getByRole('button', { name: 'Approve', exact: true }).click()
    await expect(queue.getByRole('status').first()).not.toContainText('differ from our books', {
      timeout: 60_000,
    })
    expect((await compare()).code).toBe(1)
    await expect(verdict).toContainText('Two people accepted the difference.', { timeout: 60_000 })
  })

  await test.step('a super admin names an own address', async () => {
    await page.getByRole('button', { name: 'Name an address' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Name an own address' })
    await dialog.getByLabel('Network').selectOption('Ethereum')
    await dialog.getByLabel('Class').selectOption('SAFE')
    await dialog.getByLabel('Address').fill(address)
    await dialog.getByLabel('Reason').fill('Our Safe')
    const asks = dialog.getByRole('button', { name: 'Ask a second super admin' })
    await asks.press('Enter')
    await expect(dialog).toContainText('This address already belongs to the pool.')
    await dialog.getByLabel('Address').fill(safe)
    await expectAccessible(page, 'ownAddress', '[role=dialog]')
    await asks.press('Enter')
    await expect(dialog).toHaveCount(0)
    await page.getByRole('button', { name: 'Opening balance' }).press('Enter')
    await expectAccessible(page, 'openingBalance', '[role=dialog]')
    await page.keyboard.press('Escape')
  })

  await test.step('two super admins book coins as capital', async () => {
    const capital = page.getByRole('region', { name: 'Capital of the operator' })
    await expect(capital).toContainText('Put in since the beginning: $100,000.00')
    await expect(capital).toContainText('No payment waits')
    const queue = await open(second, '/admin', { at: own })
    const approve = async (name: string) => {
      const waiting = queue.getByRole('list', { name: 'Waiting requests' })
      const line = waiting.getByRole('listitem').filter({ hasText: name })
      await line.getByRole('button').first().click()
      await queue.getByRole('button', { name: 'Approve', exact: true }).click()
      await expect(line).toContainText('APPROVED')
    }
    await approve('Own address on Ethereum')
    await compare()
    await anvil.pay(safe, 5n * 10n ** 17n)
    await compare()
    await page.reload()
    await expect(capital).toContainText('0.5 ETH')
    await capital.getByRole('button', { name: 'Book as capital: 0.5 ETH' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Book capital of the operator' })
    await expect(dialog).toContainText('0.5 ETH on Ethereum count as $1,000.00 of capital')
    await expectAccessible(page, 'seenCapital', '[role=dialog]')
    await dialog.getByLabel('Reason').fill('For new interest')
    await dialog.getByRole('button', { name: 'Ask a second super admin' }).press('Enter')
    await expect(dialog).toHaveCount(0)
    await capital.getByRole('button', { name: 'Type a payment' }).press('Enter')
    await dialog.getByLabel('Network').selectOption('Polygon')
    await expectAccessible(page, 'typedCapital', '[role=dialog]')
    await page.keyboard.press('Escape')
    await queue.reload()
    await approve('Book $1,000.00 as capital')
    await page.reload()
    await expect(capital).toContainText('Put in since the beginning: $101,000.00')
    await expectAccessible(page, 'capital')
  })
})
