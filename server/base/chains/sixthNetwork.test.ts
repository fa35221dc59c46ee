import { type NetworkRecord, networks } from '@pool/contract/base/networks'
import { createWallet, listNetworks, walletStock } from '@pool/contract/chain/wallets'
import { markSent } from '@pool/contract/coins/sending'
import { approve, confirm } from '@pool/contract/requests/decisions'
import { checkDestination, deposit, withdraw } from '@pool/contract/requests/requests'
import { listTransactions } from '@pool/contract/requests/transactions'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newAddress } from '../../testing/addresses.ts'
import type { Product } from '../../testing/product.ts'

const SIXTH = vi.hoisted(
  () =>
    ({
      name: 'Sixth',
      symbol: 'SIX',
      displayName: 'Sixth (SIX)',
      words: ['sixth'],
      explorer: 'explorer.example',
      family: 'ethereum',
      chainId: 6,
    }) as const satisfies NetworkRecord,
)

// Adds one record, and nothing else.
vi.mock('@pool/contract/base/networks', async (original) => {
  const contract = await original<{ networks: readonly NetworkRecord[] }>()
  return { ...contract, networks: [...contract.networks, SIXTH] }
})

let product: Product
let testing: typeof import('../../testing/product.ts')
beforeAll(async () => {
  testing = await import('../../testing/product.ts')
  product = await testing.startProduct()
})
afterAll(() => product.close())

test('a network that has one record is accepted everywhere', async () => {
  const networkName = SIXTH.name
  expect((await product.call(listNetworks)).body).toHaveLength(networks.length)
  const [admin, investor] = [
    await testing.person(product, ['ADMIN']),
    await testing.person(product),
  ]
  const ask = async (endpoint: Parameters<Product['call']>[0], token: string, payload: object) => {
    const { status, body } = await product.call(endpoint, { token, payload })
    expect([endpoint.path, status, body]).toMatchObject([endpoint.path, 200, {}])
    return body as { transactionId: string; networks: string[] }
  }
  const address = newAddress('Ethereum')
  await ask(createWallet, admin.token, { address, networkName: 'SIXTH' })
  expect((await product.call(walletStock, { token: admin.token })).body).toEqual([
    { networkName, available: 1, total: 1 },
  ])

  const userId = investor.id
  const asked = await ask(deposit, investor.token, { userId, amount: 50, networkName })
  expect(asked).toMatchObject({ address, networkName })
  const { transactionId } = asked
  const evidence = `0x${'ab'.repeat(32)}`
  await ask(confirm, admin.token, { transactionId, userId, evidence })

  const destination = newAddress('Ethereum')
  const { networks: fitting } = await ask(checkDestination, investor.token, { destination })
  expect(fitting).toContain(networkName)
  const withdrawal = await ask(withdraw, investor.token, {
    userId,
    amount: 20,
    destinationAddress: destination,
    networkName,
  })
  await ask(approve, admin.token, { transactionId: withdrawal.transactionId, userId })
  const sent = await product.call(markSent, {
    token: admin.token,
    params: { id: withdrawal.transactionId },
    payload: { networkName, evidence: 'cd'.repeat(32) },
  })
  expect(sent).toMatchObject({ status: 200, body: { status: 'PROCESSING' } })
  const listed = await product.call(listTransactions, {
    token: investor.token,
    query: { network: networkName, limit: '10' },
  })
  expect(listed.body).toMatchObject([
    { type: 'withdrawal', sent: { evidence: `0x${'cd'.repeat(32)}` } },
    { type: 'deposit', evidence },
  ])
})

test('the compiler names what a record lacks', () => {
  const { chainId, family, ...rest } = SIXTH
  // @ts-expect-error A family says which rules hold.
  const withoutFamily: NetworkRecord = rest
  // @ts-expect-error A network of Ethereum's family has a chain id.
  const withoutChain: NetworkRecord = { ...rest, family }
  expect([withoutFamily, withoutChain, chainId]).toHaveLength(3)
})
