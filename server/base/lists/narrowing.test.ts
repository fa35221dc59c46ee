import { networkNames } from '@pool/contract/chain/wallets'
import { savePayoutAddress } from '@pool/contract/money/payoutAddresses'
import { deposit, withdraw } from '@pool/contract/requests/requests'
import { listTransactions } from '@pool/contract/requests/transactions'
import { beforeAll, expect, test } from 'vitest'
import { newAddress } from '../../testing/addresses.ts'
import { investorWith, type Person, person, testProduct } from '../../testing/product.ts'

/** Filters by amount and network, which no index serves. */

const product = testProduct()
let investor: Person
beforeAll(async () => {
  investor = await investorWith(product, 1_000)
})

const list = async (query: Readonly<Record<string, string>>) => {
  const { body, page } = await product.call(listTransactions, { token: investor.token, query })
  return { rows: body, page }
}
const ask = async (amount: number, more: object = {}): Promise<string> => {
  const { body } = await product.call(withdraw, {
    token: investor.token,
    payload: { userId: investor.id, amount, ...more },
  })
  return body.transactionId
}

test('a network finds wallets, named and saved addresses', async () => {
  const noted = await ask(10, { destinationAddress: 'a note' })
  const several = await ask(10, { destinationAddress: newAddress('Polygon') })
  const named = await ask(10, {
    destinationAddress: newAddress('Polygon'),
    networkName: 'Polygon',
  })
  const only = await ask(10, { destinationAddress: newAddress('Solana') })
  const saved = await ask(10)
  const withdrawalsOn = async (network: string) =>
    (await list({ network, type: 'withdrawal' })).rows.map(({ id }) => id)
  expect(await withdrawalsOn('Ethereum')).toEqual([])
  await product.call(savePayoutAddress, {
    token: investor.token,
    payload: { address: newAddress('Ethereum'), networkName: 'Ethereum' },
  })
  expect(await withdrawalsOn('Ethereum')).toEqual([saved])
  expect(await withdrawalsOn('Polygon')).toEqual([named])
  expect(await withdrawalsOn('Solana')).toEqual([only])
  expect(await withdrawalsOn(networkNames.join())).not.toContain(noted)
  expect(await withdrawalsOn(networkNames.join())).not.toContain(several)
  // The row shows the network that finds it.
  for (const network of networkNames)
    for (const { payee, networkName } of (await list({ network })).rows)
      expect(payee?.networkName || networkName).toBe(network)
  expect((await list({ network: 'Bitcoin' })).rows).toMatchObject([{ type: 'deposit' }])
})

test('amounts are compared in cents, with both ends', async () => {
  for (const amount of [20.01, 20.02, 20.03]) await ask(amount)
  const { rows, page } = await list({
    amountFrom: '20.02',
    amountTo: '20.03',
    limit: '1',
    sort: 'amount',
  })
  expect(rows.map(({ amount }) => amount)).toEqual([20.03])
  expect(page).toMatchObject({ total: 2, next: expect.any(String) })
  expect((await list({ amountFrom: '30', amountTo: '20' })).rows).toEqual([])
  expect((await list({ amountFrom: '1000.00', amountTo: '1000' })).rows).toMatchObject([
    { type: 'deposit', amount: 1_000 },
  ])
})

test('staff filter everybody’s transactions', async () => {
  const other = await investorWith(product, 4_321)
  const admin = await person(product, ['ADMIN'])
  const { body } = await product.call(deposit, {
    token: other.token,
    payload: { userId: other.id, amount: 4_321.5 },
  })
  const found = await product.call(listTransactions, {
    token: admin.token,
    query: { amountFrom: '4321', amountTo: '4322', network: 'Bitcoin', limit: '10' },
  })
  expect(found).toMatchObject({
    body: [{ id: body.transactionId }, { amount: 4_321 }],
    page: { total: 2 },
  })
})
