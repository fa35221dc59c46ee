import { schnorr } from '@noble/curves/secp256k1.js'
import { addressUnowned } from '@pool/contract/base/messages'
import { type NetworkName, networks } from '@pool/contract/base/networks'
import { bech32m } from '@scure/base'
import { describe, expect, test } from 'vitest'
import { newAddress } from '../../testing/addresses.ts'
import { isAddressOn, networksOf, requireAddress } from './networks.ts'

const names = networks.map(({ name }) => name)
const like = (name: NetworkName): readonly NetworkName[] =>
  name === 'Bitcoin' || name === 'Solana' ? [name] : ['Ethereum', 'Binance Smart Chain', 'Polygon']

test.each<[NetworkName, string]>([
  ['Bitcoin', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ['Bitcoin', '3QJmV3qfvL9SuYo34YihAf3sRCW3qSinyC'],
  ['Bitcoin', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'],
  ['Bitcoin', 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr'],
  ['Ethereum', '0x52908400098527886E0F7030069857D2E4169EE7'],
  ['Polygon', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
  ['Binance Smart Chain', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
  ['Solana', '83astBRguLMdt2h5U1Tpdq5tjFoJ6noeGwaY3mDLVcri'],
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

/** Addresses of the right form that no wallet controls, or every wallet. */
const unowned: readonly (readonly [NetworkName, string, string])[] = [
  ['Bitcoin', 'pay to anchor', 'bc1pfeessrawgf'],
  ['Bitcoin', 'version 1 with 20 bytes', 'bc1pqurswpc8qurswpc8qurswpc8qurswpc8mt7kv9'],
  ['Bitcoin', 'version 2', 'bc1zqurswpc8qurswpc8qurswpc8qurswpc8qurswpc8qurswpc8qursc3hgeh'],
  ['Bitcoin', 'version 16', 'bc1sqqrsu9guyv4rzwplgex4gkmzd9c8wl593jfe4gdg47mtm3xt6tvsepv5eu'],
  [
    'Bitcoin',
    'a key off the curve',
    'bc1pqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqzs2jkusy',
  ],
  [
    'Bitcoin',
    'a key without a secret',
    'bc1p2zffkaxp5py4fdutfdsrt6t6tcrc5ks09rkfd428hlhf4n5q8tqqwv7ahk',
  ],
  ['Bitcoin', 'the key 1', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
  ['Bitcoin', 'the key 1', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4'],
  ['Bitcoin', 'the key 1', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'],
  ['Bitcoin', 'the key 1', '1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH'],
  ['Bitcoin', 'the key 1', '3JvL6Ymt8MVWiCNHC7oWU6nLeHNJKLZGLN'],
  ['Bitcoin', 'the key 1', 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3'],
  ['Bitcoin', 'the empty script', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'],
  ['Bitcoin', 'the empty script', 'bc1quwcvgs5clswpfxhm7nyfjmaeysn6us0yvjdexn9yjkv3k7zjhp2sfl5g83'],
  ['Bitcoin', 'the script 1', '3MaB7QVq3k4pQx3BhsvEADgzQonLSBwMdj'],
  ['Bitcoin', 'the script 1', 'bc1qft5p2uhsdcdc3l2ua4ap5qqfg4pjaqlp250x7us7a8qqhrxrxfsq2gp3gp'],
  ['Bitcoin', 'no key', '1HT7xU2Ngenf7D4yocz2SAcnNLW7rK8d4E'],
  ['Bitcoin', 'zeros', '1111111111111111111114oLvT2'],
  ['Bitcoin', 'zeros', '31h1vYVSYuKP6AhS86fbRdMw9XHieotbST'],
  ['Bitcoin', 'zeros', 'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq9e75rs'],
  ['Bitcoin', 'a burn address', '1BitcoinEaterAddressDontSendf59kuE'],
  ['Bitcoin', 'a burn address', '1CounterpartyXXXXXXXXXXXXXXXUWLpVr'],
  ['Ethereum', 'zeros', '0x0000000000000000000000000000000000000000'],
  ['Ethereum', 'a precompile', '0x0000000000000000000000000000000000000001'],
  ['Ethereum', 'a precompile', '0x0000000000000000000000000000000000000100'],
  ['Binance Smart Chain', 'a system contract', '0x0000000000000000000000000000000000001002'],
  ['Polygon', 'the contract of the coin', '0x0000000000000000000000000000000000001010'],
  ['Ethereum', 'a burn address', '0x000000000000000000000000000000000000dEaD'],
  ['Polygon', 'a burn address', '0xdead000000000000000042069420694206942069'],
  ['Ethereum', 'ones', '0xffffffffffffffffffffffffffffffffffffffff'],
  ['Ethereum', 'the system address', '0xfffffffffffffffffffffffffffffffffffffffe'],
  ['Ethereum', 'a sign for the coin', '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'],
  ['Ethereum', 'the key 1', '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf'],
  ['Solana', 'the system program', '11111111111111111111111111111111'],
  ['Solana', 'wrapped coins', 'So11111111111111111111111111111111111111112'],
  ['Solana', 'a clock', 'SysvarC1ock11111111111111111111111111111111'],
  ['Solana', 'the program of tokens', 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'],
]

test.each(unowned)('%s refuses %s, which has no owner: %s', (network, _, address) => {
  for (const mode of ['sandbox', 'live'] as const) {
    expect(networksOf(address, mode)).toEqual([])
    expect(isAddressOn(network, address, mode)).toBe(false)
    // By form it is an address, so the refusal can say why.
    expect(() => requireAddress({ address, networkName: network, mode, field: 'address' })).toThrow(
      addressUnowned,
    )
  }
})

test('a new taproot address is accepted', () => {
  const { publicKey } = schnorr.keygen()
  const address = bech32m.encode('bc', [1, ...bech32m.toWords(publicKey)])
  expect(networksOf(address, 'live')).toEqual(['Bitcoin'])
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
