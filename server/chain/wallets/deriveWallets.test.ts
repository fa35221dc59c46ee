import { createHmac } from 'node:crypto'
import { cents } from '@pool/contract/base/money'
import { addKey } from '@pool/contract/chain/addressKeys'
import { deposit } from '@pool/contract/requests/requests'
import { HDKey } from '@scure/bip32'
import { beforeEach, expect, test, vi } from 'vitest'
import { accountKeyOf } from '../../base/chains/accountKeys.ts'
import { newId } from '../../base/db/ids.ts'
import { lockSql } from '../../base/locks.ts'
import { requestDeposit } from '../../requests/transactions/requestDeposit.ts'
import { requestWithdrawal } from '../../requests/transactions/requestWithdrawal.ts'
import { newAddress } from '../../testing/addresses.ts'
import { codeOf, investorWith, person, rewoundProduct } from '../../testing/product.ts'
import { deriveWallets } from './deriveWallets.ts'

/**
 * Runs beside other changes. server/agreements/proposals/addressKeys.test.ts shows the addresses of
 * keys.
 */

const account = HDKey.fromMasterSeed(createHmac('sha256', 'tests').digest()).derive("m/84'/0'/0'")
const key = `wpkh(${account.publicExtendedKey})`
const { addressAt } = accountKeyOf('Bitcoin', key, 'sandbox')

const product = rewoundProduct()
beforeEach(async () => {
  const { token } = await person(product, ['ADMIN'])
  await product.call(addKey, { token, payload: { networkName: 'Bitcoin', key } })
  // One of the addresses ahead is given, so the next run has one to derive.
  const { id } = await person(product)
  await requestDeposit(product.context.ledger, { by: { id, from: 'tests' }, amount: cents(50_00n) })
})

/** Runs while another transaction holds what `taken` takes, and does `change` before it ends. */
const runBehind = async (taken: string, change: string): Promise<number> => {
  const { superuser } = product.database
  const other = await superuser.connect()
  await other.query(`BEGIN; ${taken}`)
  const run = deriveWallets(product.context)
  const waiting =
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
  await vi.waitFor(async () => expect((await superuser.query(waiting)).rowCount).toBe(1))
  await other.query(`${change}; COMMIT`)
  other.release()
  return run
}

test('a run that began before another one derives nothing', async () => {
  const later = 'UPDATE address_keys SET derived_at = clock_timestamp()'
  expect(await runBehind('SELECT FROM address_keys FOR UPDATE', later)).toBe(0)
  expect(await deriveWallets(product.context)).toBe(1)
})

test('a run waits for a change of the wallets', async () => {
  const taken = `INSERT INTO wallets (id, address, network_name) VALUES ('${newId()}', '${addressAt(20)}', 'Bitcoin')`
  expect(await runBehind(lockSql('owners'), taken)).toBe(1)
  const { rows } = await product.database.superuser.query(
    'SELECT max(derivation_index) AS last FROM wallets',
  )
  expect(rows).toEqual([{ last: 21 }])
})

test('fifty newcomers at once each get their own address', async () => {
  const newcomers = await Promise.all(Array.from({ length: 50 }, () => person(product)))
  const answers = await Promise.all(
    newcomers.map(({ id: userId, token }) =>
      product.call(deposit, { token, payload: { userId, amount: 50, networkName: 'Bitcoin' } }),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual(newcomers.map(() => 200))
  expect(new Set(answers.map(({ body }) => body.address)).size).toBe(50)
  // Without a key the stock is all there is.
  const [newcomer = await person(product)] = newcomers
  const payload = { userId: newcomer.id, amount: 50, networkName: 'Ethereum' } as const
  const refused = await product.call(deposit, { token: newcomer.token, payload })
  expect(codeOf(refused)).toBe('noWalletOnNetwork')
})

test('no withdrawal goes to an address derived later', async () => {
  const investor = await investorWith(product, 100)
  const account = accountKeyOf('Bitcoin', key, 'sandbox')
  const asked = (destinationAddress: string) =>
    requestWithdrawal(product.context, {
      by: { id: investor.id, from: 'tests' },
      amount: cents(20_00n),
      destinationAddress,
      networkName: 'Bitcoin',
    })
  for (const address of [account.addressAt(60), account.changeAt(0), account.changeAt(30)])
    await expect(asked(address)).rejects.toMatchObject({ code: 'poolWallet' })
  await asked(newAddress())
})
