import { assetsOf } from '@pool/contract/base/assets'
import { networks } from '@pool/contract/base/networks'
import type { PaidNetwork } from '@pool/contract/chain/paidNetworks'
import { expect, test } from 'vitest'
import { addressUrl, transactionUrl } from './explorer.ts'
import { paymentLink } from './paymentLink.ts'

test('every network of the contract has its explorer', () => {
  const urls = networks.map(({ name }) => transactionUrl(name, '0xab'))
  expect(new Set(urls.map((url) => url && new URL(url).host)).size).toBe(networks.length)
  for (const url of urls) expect(url).toMatch(/^https:\/\/.+\/tx\/0xab$/)
})

test('an address has a page on the same explorer', () => {
  expect(addressUrl('Polygon', '0xab')).toBe('https://polygonscan.com/address/0xab')
})

test('an unknown network has no explorer', () => {
  expect(transactionUrl('Nowhere', '0xab')).toBeUndefined()
  expect(addressUrl('Nowhere', '0xab')).toBeUndefined()
})

test('an id cannot leave the page of its explorer', () => {
  expect(transactionUrl('Bitcoin', '../x?y#z')).toBe('https://mempool.space/tx/..%2Fx%3Fy%23z')
})

/** A pool of real coins without nodes. */
const mainOf = (name: string): PaidNetwork => {
  const known = networks.find((each) => each.name === name)
  const chainId = known && 'chainId' in known ? known.chainId : null
  return { assets: assetsOf(name), link: { chainId } }
}

test('a payment link names the chain of an EVM network', () => {
  expect(networks.map(({ name }) => paymentLink(name, '0xab', undefined, mainOf))).toEqual([
    'bitcoin:0xab',
    'ethereum:0xab@1',
    'ethereum:0xab@56',
    'ethereum:0xab@137',
    'solana:0xab',
  ])
  expect(paymentLink('Nowhere', '0xab', undefined, mainOf)).toBeNull()
})

test('a payment link names the chain and token of CHAINS', () => {
  const asked = { coin: 'USDC', amount: '1.5', units: '1500000' }
  const paidOf = (): PaidNetwork => ({
    assets: [{ coin: 'USDC', decimals: 6, token: '0xplay' }],
    link: { chainId: 31_337 },
  })
  expect(paymentLink('Ethereum', '0xab', asked, paidOf)).toBe(
    'ethereum:0xplay@31337/transfer?address=0xab&uint256=1500000',
  )
})

test('a network whose chain is unknown has no payment link', () => {
  expect(networks.map(({ name }) => paymentLink(name, '0xab'))).toEqual(networks.map(() => null))
})

test('a link with coins asks for them on each network', () => {
  const link = (network: string, coin: string) =>
    paymentLink(network, 'ADDRESS', { coin, amount: '1.5', units: '1500000' }, mainOf)
  expect(link('Bitcoin', 'BTC')).toBe('bitcoin:ADDRESS?amount=1.5')
  expect(link('Ethereum', 'ETH')).toBe('ethereum:ADDRESS@1?value=1500000')
  expect(link('Polygon', 'USDC')).toBe(
    'ethereum:0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359@137/transfer?address=ADDRESS&uint256=1500000',
  )
  expect(link('Solana', 'SOL')).toBe('solana:ADDRESS?amount=1.5')
  expect(link('Solana', 'USDT')).toBe(
    'solana:ADDRESS?amount=1.5&spl-token=Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
  )
  // A coin of another network names no amount.
  expect(link('Bitcoin', 'ETH')).toBe('bitcoin:ADDRESS')
})
