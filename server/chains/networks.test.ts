import { type NetworkName, networks } from '@pool/contract/networks'
import { describe, expect, test } from 'vitest'
import { newAddress } from '../testing/addresses.ts'
import { isAddressOn, networksOf } from './networks.ts'

const names = networks.map(({ name }) => name)
const like = (name: NetworkName): readonly NetworkName[] =>
  name === 'Bitcoin' || name === 'Solana' ? [name] : ['Ethereum', 'Binance Smart Chain', 'Polygon']

test.each<[NetworkName, string]>([
  ['Bitcoin', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ['Bitcoin', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'],
  ['Bitcoin', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'],
  ['Bitcoin', 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr'],
  ['Ethereum', '0x52908400098527886E0F7030069857D2E4169EE7'],
  ['Polygon', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
  ['Binance Smart Chain', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
  ['Solana', 'So11111111111111111111111111111111111111112'],
])('%s accepts the address %s', (network, address) => {
  expect(networksOf(address, 'live')).toEqual(like(network))
})

test.each([
  'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
  'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn',
  '2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc',
])('%s of a test network is for sandboxes only', (address) => {
  expect([
    isAddressOn('Bitcoin', address, 'sandbox'),
    isAddressOn('Bitcoin', address, 'live'),
  ]).toEqual([true, false])
})

test.each([
  '',
  '0x0000000000000000000000000000000000000000',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe',
  '5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdp',
  'bc1Qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb',
  ' bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  '４Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T',
  '0OIl1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T',
  'Default Address',
])('no network accepts %j', (address) => {
  expect(networksOf(address, 'sandbox')).toEqual([])
})

describe.each(names)('%s', (network) => {
  test('accepts the addresses that tests generate', () => {
    for (let n = 0; n < 25; n += 1)
      expect(networksOf(newAddress(network), 'live')).toEqual(like(network))
  })

  test.runIf(network !== 'Solana')('rejects an address with a mistyped character', () => {
    const unnoticed = Array.from({ length: 500 }, (_, n) => {
      const address = newAddress(network)
      const place = 4 + (n % (address.length - 4))
      const typed = address[place]?.toLowerCase() === 'a' ? 'c' : 'a'
      return isAddressOn(
        network,
        address.slice(0, place) + typed + address.slice(place + 1),
        'live',
      )
    }).filter(Boolean)
    // EIP-55 misses about one typo in 4,000, and Bitcoin's checksum none.
    expect(unnoticed.length).toBeLessThanOrEqual(network === 'Bitcoin' ? 0 : 5)
  })

  test.runIf(network === 'Solana')(
    'accepts about half of mistyped addresses without a checksum',
    () => {
      const unnoticed = Array.from({ length: 400 }, () => newAddress(network)).filter((address) => {
        const mistyped = `${address.slice(0, 20)}${address[20] === 'z' ? 'y' : 'z'}${address.slice(21)}`
        return isAddressOn(network, mistyped, 'live')
      })
      expect(unnoticed.length).toBeLessThan(280)
    },
  )
})
