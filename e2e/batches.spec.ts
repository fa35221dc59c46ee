import { readFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import { approveOpenProposal } from '@pool/contract/agreements/staffProposals'
import { addKey } from '@pool/contract/chain/addressKeys'
import { listChains } from '@pool/contract/chain/chains'
import { setRate } from '@pool/contract/chain/rates'
import { listWallets } from '@pool/contract/chain/wallets'
import { recordBorrower } from '@pool/contract/lending/borrowers'
import { askLoanApproval, recordLoan } from '@pool/contract/lending/loans'
import { approve, confirm } from '@pool/contract/requests/decisions'
import { deposit, withdraw } from '@pool/contract/requests/requests'
import { newAddress } from '../server/testing/addresses.ts'
import { playAccount, signPsbt } from '../server/testing/coinsOut.ts'
import {
  hasLitecoind,
  LITECOIN_REGTEST,
  type Litecoind,
  startLitecoind,
} from '../server/testing/litecoind.ts'
import { dayFrom } from '../server/testing/loans.ts'
import { chainsFile } from '../server/testing/playNode.ts'
import { test } from './fixtures.ts'
import { type OwnProduct, startOwnProduct } from './ownProduct.ts'
import { expectAccessible, openPage, settled } from './steps.ts'
import { PHONE } from './widths.ts'

/** Staff make a batch of withdrawals, and sign its file outside. */

test.skip(!hasLitecoind, 'this machine has no play node of Bitcoin')

// The second test pays with the coins of the first.
test.describe.configure({ mode: 'serial' })

let node: Litecoind
let own: OwnProduct
const play = playAccount()

test.beforeAll(async () => {
  node = await startLitecoind()
  const CHAINS = chainsFile({
    Bitcoin: {
      kind: 'bitcoin',
      url: node.url,
      credentialsFile: node.credentialsFile,
      genesis: LITECOIN_REGTEST,
      confirmations: 2,
      pollSeconds: 1,
    },
  })
  // A person alone moves less than the second batch.
  own = await startOwnProduct({ CHAINS, SECOND_APPROVAL_ABOVE: '500' })
})
test.afterAll(async () => {
  await own?.remove()
  await node?.stop()
})

/** An investor's approved withdrawal of this amount. */
const approved = async (amount: number) => {
  const [admin, investor] = [await own.person(['ADMIN']), await own.person()]
  const { userId } = investor
  const asked = await own.call(deposit, investor, { userId, amount, networkName: 'Bitcoin' })
  await own.call(confirm, admin, { transactionId: asked.transactionId })
  const { transactionId } = await own.call(withdraw, investor, {
    userId,
    amount,
    destinationAddress: newAddress(),
    networkName: 'Bitcoin',
  })
  const approveIt = async () =>
    own.call(approve, await own.person(['ADMIN']), { transactionId, userId })
  if ((await approveIt()).status === 'PENDING') await approveIt()
  return investor
}

test('withdrawals are batched, approved, signed outside and given up', async ({ open }) => {
  const admin = await own.person(['ADMIN'])
  await own.call(addKey, admin, { networkName: 'Bitcoin', key: play.text })
  await own.call(setRate, admin, { coin: 'BTC', dollars: '50000' })
  // The job derives the addresses of a key.
  const derived = async () => (await own.call(listWallets, admin)).length
  await expect.poll(derived).toBeGreaterThan(0)
  await node.pay(play.key.addressAt(0), '1')
  await node.pay(play.key.addressAt(1), '1')
  await node.mine(2)
  const height = await node.ask<number>('getblockcount')
  const read = async () => (await own.call(listChains, admin))[0]?.height
  await expect.poll(read).toBe(height)

  const page = await open(admin, '/admin/batches', { at: own })
  await expect(page.getByText('No batch yet')).toBeVisible()
  await expectAccessible(page, 'batches-empty')

  const investors = [await approved(120), await approved(130)]
  await page.goto('/admin')
  await page.getByText('To send', { exact: true }).click()
  await page.getByRole('button', { name: 'Make a batch on Bitcoin' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Make a batch' })
  await expect(dialog.getByRole('checkbox')).toHaveCount(2)
  await dialog.getByLabel('Fee rate in sat/vB').fill('0')
  await dialog.getByRole('button', { name: 'Preview' }).press('Enter')
  await expect(dialog.getByText('Please give a number from 1 to 1000, such as 2.3')).toBeVisible()
  await dialog.getByLabel('Fee rate in sat/vB').fill('1000')
  await dialog.getByRole('button', { name: 'Preview' }).press('Enter')
  await expect(dialog.getByRole('alert')).toContainText(/Left out: whose network fee is above/)
  await dialog.getByLabel('Fee rate in sat/vB').fill('5')
  await dialog.getByRole('button', { name: 'Preview' }).press('Enter')
  const preview = dialog.getByRole('region', { name: 'This would be made' })
  await expect(preview).toContainText('0.005 BTC for $250.00 · 2 payments')
  await expect(preview).toContainText(play.fingerprint)
  const payees = preview.getByRole('list', { name: 'Payments' }).getByRole('listitem')
  await expect(payees).toHaveCount(2)
  await expect(preview).toContainText(play.key.changeAt(0))
  await expectAccessible(page, 'batch-preview', '[role=dialog]')

  // A batch without the older one asks why.
  await dialog.getByRole('checkbox').first().press('Space')
  await dialog.getByRole('button', { name: 'Preview' }).press('Enter')
  await expect(dialog).toContainText('An older withdrawal could be taken first.')
  await dialog.getByRole('button', { name: 'Make batch' }).press('Enter')
  await expect(dialog).toContainText('Please give the reason.')
  await dialog.getByRole('checkbox').first().press('Space')
  await dialog.getByRole('button', { name: 'Preview' }).press('Enter')
  await expect(preview).toContainText('2 payments')
  await expect(dialog.getByLabel('Reason to skip older requests')).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Make batch' }).press('Enter')
  await page.waitForURL(/\/admin\/batches\/[0-9a-f-]{36}$/)
  await settled(page)
  await expect(page.getByText('Ready to sign')).toBeVisible()
  const payments = page.getByRole('list', { name: 'Payments' }).getByRole('listitem')
  await expect(payments).toHaveCount(2)
  for (const { username } of investors)
    await expect(payments.filter({ hasText: username })).toContainText('Not seen yet')
  await expectAccessible(page, 'batch')

  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download file' }).press('Enter')
  const file = await downloading
  expect(file.suggestedFilename()).toMatch(/^bitcoin-batch-.*\.psbt$/)
  const signed = signPsbt(play.root, readFileSync(await file.path(), 'utf8'))
  expect(await node.ask('testmempoolaccept', [signed])).toMatchObject([{ allowed: true }])

  const batchPage = page.url()
  await page.goto('/admin')
  await page.getByText('To send', { exact: true }).click()
  const waiting = page
    .getByRole('listitem')
    .filter({ hasText: 'This withdrawal is in a batch that could be signed' })
  await expect(waiting).toHaveCount(2)
  await expect(waiting.getByRole('button', { name: /as sent$/ }).first()).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Make a batch on Bitcoin' })).toBeDisabled()
  await expectAccessible(page, 'toSend-batched', 'details')
  await page.goto(batchPage)

  await page.getByRole('button', { name: 'Give up' }).press('Enter')
  const giveUp = page.getByRole('dialog', { name: 'Give up this batch' })
  await giveUp.getByRole('button', { name: 'Give up' }).press('Enter')
  await expect(giveUp.getByText('Please give a reason')).toBeVisible()
  await giveUp.getByLabel('Reason').fill('The signer is ill')
  await giveUp.getByRole('button', { name: 'Give up' }).press('Enter')
  await expect(page.getByText('A signed copy could still be sent')).toBeVisible()
  await expect(page.getByRole('list', { name: 'History' })).toContainText('The signer is ill')

  // Above the limit of one person, another one approves.
  await approved(400)
  await page.goto('/admin')
  await page.getByText('To send', { exact: true }).click()
  await page.getByRole('button', { name: 'Make a batch on Bitcoin' }).click()
  await dialog.getByLabel('Fee rate in sat/vB').fill('5')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await expect(preview).toContainText('above the limit of one person')
  await dialog.getByRole('button', { name: 'Make batch' }).click()
  await page.waitForURL(/\/admin\/batches\/[0-9a-f-]{36}$/)
  await expect(page.getByText('Waits for a second person')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Approve' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Download file' })).toHaveCount(0)

  const second = await open(await own.person(['ADMIN']), '/dashboard', { at: own })
  await openPage(second, /^Batches/)
  await second
    .getByRole('list', { name: 'Batches' })
    .getByRole('listitem')
    .filter({ hasText: 'Waits for a second person' })
    .getByRole('link')
    .press('Enter')
  await second.getByRole('button', { name: 'Approve' }).press('Enter')
  const approval = second.getByRole('dialog', { name: 'Approve this batch' })
  await expect(approval.getByRole('button', { name: 'Approve' })).toBeEnabled()
  await approval.getByRole('button', { name: 'Approve' }).press('Enter')
  await expect(second.getByText('Ready to sign')).toBeVisible()
  // The change shows on the open page of its maker.
  await expect(page.getByText('Ready to sign')).toBeVisible()

  const auditor = await open(await own.person(['AUDITOR']), new URL(page.url()).pathname, {
    at: own,
  })
  await expect(auditor.getByText('Ready to sign')).toBeVisible()
  await expect(auditor.getByRole('button', { name: 'Give up' })).toHaveCount(0)
})

test('a loan is sent by a batch and begins', async ({ open }) => {
  const [admin, other] = [await own.person(['ADMIN']), await own.person(['ADMIN'])]
  const borrower = await own.call(recordBorrower, admin, {
    name: 'Ann Mason',
    country: 'de',
    kind: 'person',
    relation: 'none',
    grade: 'B',
    gradeReason: 'Two years of accounts',
  })
  const { id } = await own.call(recordLoan, admin, {
    borrowerId: borrower.id,
    purpose: 'business',
    amount: 300,
    rateBasisPoints: 1_200,
    schedule: 'equalPrincipal',
    period: 'weekly',
    dayCount: 'act365',
    instalments: 12,
    dueDay: 1,
    disburseOn: dayFrom(0),
    firstDueOn: dayFrom(7),
  })
  const { proposalId } = await own.call(askLoanApproval, admin, { reason: 'Vetted' }, { id })
  await own.call(approveOpenProposal, other, undefined, { id: proposalId })

  const page = await open(admin, `/admin/loans/${id}`, { at: own })
  await page.getByRole('button', { name: 'Disburse' }).press('Enter')
  const paying = page.getByRole('dialog', { name: 'Disburse this loan' })
  await paying.getByLabel('Network').selectOption('Bitcoin (BTC)')
  await expect(paying.getByLabel('On-chain transaction ID')).toHaveCount(0)
  await paying.getByLabel('Address of the borrower').fill('nowhere')
  await paying.getByRole('button', { name: 'Ask to send' }).press('Enter')
  await expect(paying.getByRole('alert')).toBeVisible()
  const address = newAddress()
  await paying.getByLabel('Address of the borrower').fill(address)
  await expectAccessible(page, 'loan-send', '[role=dialog]')
  await paying.getByRole('button', { name: 'Ask to send' }).press('Enter')
  await expect(page.getByText('Waits for a second person')).toBeVisible()

  const second = await open(other, '/admin?lang=es', { at: own, viewport: PHONE })
  await second.getByRole('button', { name: /^Enviar \$300\.00 a Ann Mason en un lote/ }).click()
  const panel = second.getByRole('region', { name: /^Enviar \$300\.00/ })
  await expect(panel.locator('code')).toHaveText(address)
  await expectAccessible(second, 'loan-send-queue')
  await panel.getByRole('button', { name: /^Aprobar/ }).click()
  await expect(page.getByText('A batch pays it on Bitcoin to')).toBeVisible()
  await expectAccessible(page, 'loan-sending')

  await page.goto('/admin')
  await page.getByText('To send', { exact: true }).click()
  const line = page.getByRole('listitem').filter({ hasText: 'Loan to Ann Mason' })
  await expect(line).toContainText(address)
  await page.getByRole('button', { name: 'Make a batch on Bitcoin' }).click()
  const dialog = page.getByRole('dialog', { name: 'Make a batch' })
  await expect(dialog.getByRole('checkbox', { name: '$300.00 · Ann Mason' })).toBeChecked()
  for (const each of await dialog.getByRole('checkbox', { name: /@/ }).all()) await each.uncheck()
  await dialog.getByLabel('Fee rate in sat/vB').fill('5')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByRole('button', { name: 'Make batch' }).click()
  await page.waitForURL(/\/admin\/batches\/[0-9a-f-]{36}$/)
  await expect(page.getByRole('link', { name: 'Loan to Ann Mason' })).toBeVisible()
  await expectAccessible(page, 'batch-loan')
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download file' }).click()
  const signed = signPsbt(play.root, readFileSync(await (await downloading).path(), 'utf8'))
  // The signed file comes back: it is compared, and the node sends it.
  await page.getByRole('button', { name: 'Upload signed file' }).press('Enter')
  const giving = page.getByRole('dialog', { name: 'Send a signed file' })
  const pasted = giving.getByLabel('Or paste a signed PSBT or transaction')
  await pasted.fill('nothing')
  await giving.getByRole('button', { name: 'Compare' }).press('Enter')
  await expect(giving.getByRole('alert')).toContainText('no signed transaction')
  await pasted.fill(signed)
  await giving.getByRole('button', { name: 'Compare' }).press('Enter')
  await expect(giving.getByText('It is this batch. Nothing differs.')).toBeVisible()
  await expect(giving.getByRole('row', { name: new RegExp(address) })).toContainText('0.006 BTC')
  await expect(giving.getByRole('row', { name: /Network fee/ })).toBeVisible()
  await expectAccessible(page, 'batch-signed', '[role=dialog]')
  await giving.getByRole('button', { name: 'Send' }).press('Enter')
  await expect(giving).toHaveCount(0)
  await expect(page.getByRole('list', { name: 'History' })).toContainText('Signed file sent by')
  const [transaction = ''] = await node.ask<string[]>('getrawmempool')
  await node.mine(3)
  await expect(page.getByText('The network has confirmed each payment.')).toBeVisible()
  await page.getByRole('link', { name: 'Loan to Ann Mason' }).click()
  await expect(page.getByText('Active', { exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: new RegExp(`^${transaction}:\\d+$`) })).toBeVisible()
  await expectAccessible(page, 'loan-sent')
})

test('a batch that is not there says so in Spanish', async ({ open }) => {
  const admin = await own.person(['ADMIN'])
  const page = await open(admin, '/admin/batches/00000000-0000-4000-8000-000000000000?lang=es', {
    at: own,
  })
  await expect(page.getByRole('alert')).toContainText('no consta')
})
