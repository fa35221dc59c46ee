import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import { approveProposal, listProposals } from '@pool/contract/agreements/proposals'
import { createWallet } from '@pool/contract/chain/wallets'
import { approve, confirm } from '@pool/contract/requests/decisions'
import { deposit, withdraw } from '@pool/contract/requests/requests'
import { newAddress } from '../server/testing/addresses.ts'
import { ANVIL_CHAIN, type Anvil, hasAnvil, startAnvil } from '../server/testing/anvil.ts'
import { addOwn } from '../server/testing/ownCoins.ts'
import { chainsFile } from '../server/testing/playNode.ts'
import { connectTo } from '../server/testing/process.ts'
import { test } from './fixtures.ts'
import { type OwnProduct, startOwnProduct } from './ownProduct.ts'
import { expectAccessible } from './steps.ts'
import { PHONE } from './widths.ts'

/** A withdrawal is paid on a play chain, and so are coins that no batch explains. */

test.skip(!hasAnvil, 'npm has no Anvil for this machine')

let anvil: Anvil
let own: OwnProduct

test.beforeAll(async () => {
  anvil = await startAnvil()
  const entry = { kind: 'evm', url: anvil.url, chainId: ANVIL_CHAIN, pollSeconds: 1 }
  own = await startOwnProduct({ CHAINS: chainsFile({ Ethereum: entry }) })
})
test.afterAll(async () => {
  await own?.remove()
  await anvil?.stop()
})

/** Units of 0.03 ETH. */
const UNITS = 30_000_000_000_000_000n

test('a payout is seen, confirmed and receipted', async ({ open }) => {
  const admin = await own.person(['ADMIN'])
  const investor = await own.person()
  const { userId } = investor
  await own.call(createWallet, admin, { address: newAddress(), networkName: 'Bitcoin' })
  const asked = await own.call(deposit, investor, { userId, amount: 80 })
  await own.call(confirm, admin, { transactionId: asked.transactionId })
  const to = newAddress('Ethereum')
  const { transactionId } = await own.call(withdraw, investor, {
    userId,
    amount: 60,
    destinationAddress: to,
    networkName: 'Ethereum',
  })
  await own.call(approve, admin, { transactionId, userId })
  const database = connectTo(own)
  await addOwn({ superuser: database.pool }, 'Ethereum', anvil.payer)
  const batch = randomUUID()
  await database.pool.query(
    `INSERT INTO batches (id, network_name, asset, decimals, kind, format, state, payer, dollars, rate_at, file, digest, made_by)
     VALUES ($1, 'Ethereum', 'ETH', 18, 'PAYOUT', 'CSV', 'READY', $2, 2000, now(), '', '', $3)`,
    [batch, anvil.payer, admin.userId],
  )
  await database.pool.query(
    'INSERT INTO batch_payouts (batch_id, position, withdrawal_id, address, units) VALUES ($1, 0, $2, $3, $4)',
    [batch, transactionId, to, String(UNITS)],
  )
  await database.close()

  const page = await open(investor, '/dashboard', { at: own, viewport: PHONE })
  await page.goto(`/dashboard?transaction=${transactionId}`)
  const story = page.getByRole('dialog', { name: 'Withdrawal' })
  await expect(story).toContainText('0.03 ETH at $2,000')
  await expect(story).toContainText('The coins will be sent soon.')
  await expectAccessible(page, 'payoutWaits', '[role=dialog]')
  const id = await anvil.pay(to, UNITS)
  await expect(story).toContainText(
    'The payment is in a block. It has arrived once the network confirms it.',
  )
  await expect(story).toContainText('In a block, not final')
  const link = story.getByRole('link', { name: id }).first()
  await expect(link).toHaveAttribute('href', `https://etherscan.io/tx/${id}`)
  await expectAccessible(page, 'payoutSeen', '[role=dialog]')
  await anvil.ask('anvil_mine', '0x50')
  await expect(story).toContainText('Arrived. The network has confirmed it.')
  const save = story.getByRole('button', { name: 'Save the receipt' })
  await expect(save).toBeVisible()
  await expectAccessible(page, 'payoutArrived', '[role=dialog]')
  const downloading = page.waitForEvent('download')
  await save.press('Enter')
  const receipt = readFileSync(await (await downloading).path(), 'utf8')
  for (const part of ['$60.00', '0.03 ETH', '$2,000', to, id, transactionId])
    expect(receipt).toContain(part)
  await page.goto(`/dashboard?transaction=${transactionId}&lang=es`)
  await expect(page.getByRole('dialog', { name: 'Retirada' })).toContainText('Ha llegado.')

  await test.step('coins without a batch are told and settled', async () => {
    const stranger = newAddress('Ethereum')
    const [first, second] = [await own.superAdmin(), await own.person(['SUPER_ADMIN'])]
    const staff = await open(first, '/admin/chains', { at: own })
    await expect(staff.getByText('No payout went wrong')).toBeVisible()
    await anvil.pay(stranger, UNITS)
    const alarms = staff.getByRole('list', { name: 'Payouts that went wrong' })
    await expect(alarms).toContainText('Left without a batch')
    await expect(alarms).toContainText('Paid: 0.03 ETH to')
    await expect(alarms).toContainText(stranger.slice(0, 8))
    await expectAccessible(staff, 'payoutAlarm')
    const ask = alarms.getByRole('button', { name: 'Ask to settle: Left without a batch' })
    await ask.press('Enter')
    const dialog = staff.getByRole('dialog', { name: 'Settle 0.03 ETH that left without a batch?' })
    await dialog.getByLabel('What was done').fill('The fee of an exchange')
    await expectAccessible(staff, 'payoutAlarmSettled', '[role=dialog]')
    await dialog.getByRole('button', { name: 'Ask a second super admin' }).press('Enter')
    await expect(dialog).toHaveCount(0)
    await ask.press('Enter')
    await dialog.getByLabel('What was done').fill('Again')
    await dialog.getByRole('button', { name: 'Ask a second super admin' }).press('Enter')
    await expect(dialog.getByRole('alert')).toContainText('already')
    await staff.keyboard.press('Escape')
    const [proposal] = await own.call(listProposals, second)
    await own.call(approveProposal, second, undefined, { id: proposal?.id ?? '' })
    await staff.reload()
    await expect(alarms).toContainText('The fee of an exchange')
    await staff.goto('/admin/chains?lang=es')
    await expect(staff.getByText('Salió sin lote')).toBeVisible()
    await expectAccessible(staff, 'payoutAlarmEs')
  })
})
