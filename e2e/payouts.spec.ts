import { readFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import { setRate } from '@pool/contract/chain/rates'
import { createWallet } from '@pool/contract/chain/wallets'
import { makeBatch } from '@pool/contract/coins/batches'
import { approve, confirm } from '@pool/contract/requests/decisions'
import { deposit, withdraw } from '@pool/contract/requests/requests'
import { newAddress } from '../server/testing/addresses.ts'
import { ANVIL_CHAIN, type Anvil, hasAnvil, startAnvil } from '../server/testing/anvil.ts'
import { addOwn } from '../server/testing/ownCoins.ts'
import { chainsFile } from '../server/testing/playNode.ts'
import { connectTo } from '../server/testing/process.ts'
import { test } from './fixtures.ts'
import { type OwnProduct, startOwnProduct } from './ownProduct.ts'
import type { Session } from './people.ts'
import { expectAccessible } from './steps.ts'

/** A withdrawal is paid by a transaction that a wallet signed elsewhere. */

test.skip(!hasAnvil, 'npm has no Anvil for this machine')

let anvil: Anvil
let own: OwnProduct

test.beforeAll(async () => {
  anvil = await startAnvil()
  const entry = { kind: 'evm', url: anvil.url, chainId: ANVIL_CHAIN, pollSeconds: 1 }
  own = await startOwnProduct({ CHAINS: chainsFile({ Ethereum: entry }) })
  const database = connectTo(own)
  await addOwn({ superuser: database.pool }, 'Ethereum', anvil.payer)
  await database.close()
})
test.afterAll(async () => {
  await own?.remove()
  await anvil?.stop()
})

/** Units of 0.03 ETH. */
const UNITS = 30_000_000_000_000_000n

/** An approved withdrawal of $60.00. */
const approved = async (admin: Session, to: string) => {
  const investor = await own.person()
  const { userId } = investor
  await own.call(createWallet, admin, { address: newAddress(), networkName: 'Bitcoin' })
  const asked = await own.call(deposit, investor, { userId, amount: 80 })
  await own.call(confirm, admin, { transactionId: asked.transactionId })
  const { transactionId } = await own.call(withdraw, investor, {
    userId,
    amount: 60,
    destinationAddress: to,
    networkName: 'Ethereum',
  })
  await own.call(approve, admin, { transactionId, userId })
  return { investor, transactionId }
}

test('a signed transaction is given back to its batch', async ({ open }) => {
  const admin = await own.person(['ADMIN'])
  const [to, thief] = [newAddress('Ethereum'), newAddress('Ethereum')]
  const { investor, transactionId } = await approved(admin, to)
  await own.call(setRate, admin, { coin: 'ETH', dollars: '2000' })
  const { id } = await own.call(makeBatch, admin, {
    networkName: 'Ethereum',
    coin: 'ETH',
    withdrawalIds: [transactionId],
    format: 'CSV',
    payer: anvil.payer,
  })
  const page = await open(admin, `/admin/batches/${id}`, { at: own })
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download file' }).press('Enter')
  expect(readFileSync(await (await downloading).path(), 'utf8')).toContain(to)
  /** Signs with the key that pays, as a wallet does elsewhere. */
  const sign = async (payee: string) =>
    anvil.ask<string>('eth_signTransaction', {
      from: anvil.payer,
      to: payee,
      value: `0x${UNITS.toString(16)}`,
      nonce: await anvil.ask('eth_getTransactionCount', anvil.payer, 'latest'),
      gas: '0x5208',
      maxFeePerGas: '0xb2d05e00',
      maxPriorityFeePerGas: '0x3b9aca00',
    })

  await page.getByRole('button', { name: 'Upload signed file' }).press('Enter')
  const giving = page.getByRole('dialog', { name: 'Send a signed file' })
  await expect(giving).toContainText('one for each payee')
  const pasted = giving.getByLabel('Or paste a signed PSBT or transaction')
  const compare = async (text: string) => {
    await pasted.fill(text)
    await giving.getByRole('button', { name: 'Compare' }).press('Enter')
  }
  await compare('0x02')
  await expect(giving.getByRole('alert')).toContainText('no signed transaction')
  await compare(await sign(thief))
  await expect(giving.getByRole('status')).toContainText('not of this batch, so it is not sent')
  await expect(giving.getByRole('row', { name: new RegExp(thief, 'i') })).toContainText('0.03 ETH')
  await expect(giving.getByRole('button', { name: 'Send' })).toHaveCount(0)
  await expectAccessible(page, 'signedDiffersEvm', '[role=dialog]')
  await compare(await sign(to))
  await expect(giving.getByText('It is this batch. Nothing differs.')).toBeVisible()
  await expect(giving.getByRole('row', { name: new RegExp(to, 'i') })).toContainText('0.03 ETH')
  await expect(giving.getByRole('row', { name: /Paid from/ })).toContainText(anvil.payer)
  await expectAccessible(page, 'signedEvm', '[role=dialog]')
  await giving.getByRole('button', { name: 'Send' }).press('Enter')
  await expect(giving).toHaveCount(0)
  await expect(page.getByRole('list', { name: 'History' })).toContainText('Signed file sent by')
  await anvil.ask('anvil_mine', '0x50')
  await expect(page.getByText('The network has confirmed each payment.')).toBeVisible()
  const reading = await open(investor, `/dashboard?transaction=${transactionId}`, { at: own })
  const story = reading.getByRole('dialog', { name: 'Withdrawal' })
  await expect(story).toContainText('0.03 ETH at $2,000')
})
