import { assetsOf, coins, typedDecimals } from '@pool/contract/base/assets'
import { networks } from '@pool/contract/base/networks'
import { describe, expect, test } from 'vitest'
import { isAddressOn } from './networks.ts'

describe.each(networks.map(({ name }) => name))('%s', (name) => {
  const assets = assetsOf(name)

  test('takes its own coin first', () => {
    expect(assets[0]).not.toHaveProperty('token')
    expect(assets.slice(1).every(({ token }) => token !== undefined)).toBe(true)
  })

  test('names tokens by addresses with a checksum', () => {
    for (const { token, decimals, coin } of assets) {
      expect(decimals).toBeGreaterThanOrEqual(typedDecimals(coin))
      if (token !== undefined) expect(isAddressOn(name, token, 'live')).toBe(true)
    }
    expect(new Set(assets.flatMap(({ token }) => token ?? [])).size).toBe(
      assets.filter(({ token }) => token).length,
    )
  })
})

test('tokens of BNB Smart Chain have eighteen decimals', () => {
  const decimals = (network: string) =>
    assetsOf(network).flatMap(({ token, decimals }) => (token ? [decimals] : []))
  expect(decimals('Binance Smart Chain')).toEqual([18, 18])
  expect(decimals('Ethereum')).toEqual([6, 6])
})

test('each coin is taken, by known networks alone', () => {
  const taken = networks.flatMap(({ name }) => assetsOf(name).map(({ coin }) => coin))
  expect([...new Set(taken)].sort()).toEqual([...coins].sort())
  expect(assetsOf('Sixth')).toEqual([])
})
