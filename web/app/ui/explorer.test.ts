import { networks } from '@pool/contract/networks'
import { expect, test } from 'vitest'
import { addressUrl, transactionUrl } from './explorer.ts'
import { paymentLink } from './PaymentCode.tsx'

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

test('a payment link names the chain of an EVM network', () => {
  expect(networks.map(({ name }) => paymentLink(name, '0xab'))).toEqual([
    'bitcoin:0xab',
    'ethereum:0xab@1',
    'ethereum:0xab@56',
    'ethereum:0xab@137',
    'solana:0xab',
  ])
  expect(paymentLink('Nowhere', '0xab')).toBeNull()
})
