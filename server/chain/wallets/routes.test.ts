import { succeeded } from '@pool/contract/base/messages'
import { networks } from '@pool/contract/base/networks'
import * as validation from '@pool/contract/base/validation'
import { createWallet, deleteWallet, listNetworks, listWallets } from '@pool/contract/chain/wallets'
import { deposit } from '@pool/contract/requests/requests'
import { beforeAll, expect, test } from 'vitest'
import { newAddress } from '../../testing/addresses.ts'
import { type Person, person, testProduct } from '../../testing/product.ts'

const product = testProduct()
let admin: Person
beforeAll(async () => {
  admin = await person(product, ['ADMIN'])
})

const add = (payload: object) => product.call(createWallet, { token: admin.token, payload })
const list = async () => (await product.call(listWallets, { token: admin.token })).body

test('networks need no session', async () => {
  const body = networks.map(({ name, symbol, displayName }) => ({ name, symbol, displayName }))
  expect(await product.call(listNetworks)).toMatchObject({ status: 200, body })
})

test('a new wallet is Available and listed first', async () => {
  const [first, second] = [newAddress('Solana'), newAddress('Ethereum')]
  await add({ address: first, networkName: 'Solana' })
  const answer = await add({ address: second, networkName: 'Ethereum' })
  expect(answer).toMatchObject({
    status: 200,
    narration: succeeded.walletCreated,
    body: { address: second, networkName: 'Ethereum', assigned: false },
  })
  expect((await list()).map(({ address }) => address)).toEqual([second, first])
})

test.each([
  {},
  { address: 'x' },
  { networkName: 'Bitcoin' },
  { address: '   ', networkName: 'Bitcoin' },
  { address: 'x', networkName: ' ' },
])('blank fields are refused: %j', async (payload) => {
  expect(await add(payload)).toMatchObject({ status: 400, narration: validation.fillAllFields })
})

test('an unknown network is refused', async () => {
  expect(await add({ address: 'somewhere', networkName: 'Dogecoin' })).toMatchObject({
    status: 400,
    body: { code: 'unknownNetwork' },
  })
})

test('an address is added once per network, in any case', async () => {
  const address = newAddress('Ethereum')
  await add({ address, networkName: 'Ethereum' })
  expect(await add({ address: address.toLowerCase(), networkName: 'Ethereum' })).toMatchObject({
    status: 409,
    body: { code: 'walletExists' },
  })
})

test('only an Available wallet can be deleted', async () => {
  for (const { id, assigned } of await list()) {
    if (!assigned)
      expect(
        (await product.call(deleteWallet, { token: admin.token, params: { id } })).narration,
      ).toBe(succeeded.walletDeleted)
  }
  const { body } = await add({ address: newAddress(), networkName: 'Bitcoin' })
  const investor = await person(product)
  await product.call(deposit, {
    token: investor.token,
    payload: { userId: investor.id, amount: 20 },
  })
  const params = { id: body.id }
  expect(await product.call(deleteWallet, { token: admin.token, params })).toMatchObject({
    status: 409,
    body: { code: 'walletAssigned' },
  })
  expect(await list()).toMatchObject([{ id: params.id, assigned: true }])
  await expect(product.database.pool.query('DELETE FROM wallets')).rejects.toThrow(/not allowed/)
  await expect(product.database.pool.query('UPDATE wallets SET owner_id = NULL')).rejects.toThrow(
    /not allowed/,
  )
})

test('an unknown wallet cannot be deleted', async () => {
  const params = { id: crypto.randomUUID() }
  expect(await product.call(deleteWallet, { token: admin.token, params })).toMatchObject({
    status: 404,
    body: { code: 'walletNotFound' },
  })
})
