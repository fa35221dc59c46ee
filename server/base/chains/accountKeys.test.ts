import { createHmac, pbkdf2Sync } from 'node:crypto'
import type { NetworkName } from '@pool/contract/base/networks'
import { ADDRESSES_AHEAD, isPrivate, type KeyProblem } from '@pool/contract/chain/addressKeys'
import { HDKey } from '@scure/bip32'
import { describe, expect, test } from 'vitest'
import { accountKeyOf } from './accountKeys.ts'
import { checksumOf } from './descriptors.ts'
import { chainOf, isAddressOn } from './networks.ts'

/** The words of BIP 84's test vector, whose fingerprint is 73c5da0a. */
const ABOUT = `${'abandon '.repeat(11)}about`
const ZPUB =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs'
const XPUB =
  'xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLoP2fMFMKHPJ4ZeZXYVUhLv1VMrjPC7PW6V'
const DESCRIPTOR = `wpkh([73c5da0a/84h/0h/0h]${XPUB}/<0;1>/*)`

const rootOf = (words: string) =>
  HDKey.fromMasterSeed(pbkdf2Sync(words, 'mnemonic', 2_048, 64, 'sha512'))
const at = (path: string, words = ABOUT): HDKey => rootOf(words).derive(path)
const publicKeyAt = (path: string, words?: string): string => at(path, words).publicExtendedKey

const read = (network: NetworkName, text: string, mode: 'live' | 'sandbox' = 'live') =>
  accountKeyOf(network, text, mode)
const first = (network: NetworkName, text: string, mode: 'live' | 'sandbox' = 'live') =>
  [0, 1, 2].map(read(network, text, mode).addressAt)

describe('a key of Bitcoin', () => {
  test.each([
    ['a zpub', ZPUB],
    ['a descriptor without an origin', `wpkh(${XPUB}/0/*)`],
    ['an xpub with its origin', `[73c5da0a/84h/0h/0h]${XPUB}`],
    ['a descriptor', DESCRIPTOR],
    ['a descriptor with one branch', `wpkh([73c5da0a/84h/0h/0h]${XPUB}/0/*)`],
    ['a descriptor with other marks', `wpkh([73C5DA0A/84'/0'/0']${XPUB}/<0;1>/*)`],
    ['a descriptor with a zpub', `wpkh([73c5da0a/84H/0H/0H]${ZPUB}/0/*)`],
    ['a descriptor with its checksum', `${DESCRIPTOR}#${checksumOf(DESCRIPTOR)}`],
    ['a key in spaces', `  ${ZPUB}\n`],
  ])('gives the addresses of BIP 84 as %s', (_, text) => {
    expect(first('Bitcoin', text).slice(0, 2)).toEqual([
      'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
      'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g',
    ])
  })

  test('has one form, a name and a fingerprint', () => {
    expect(read('Bitcoin', `wpkh([73C5DA0A/84'/0'/0']${ZPUB}/0/*)`)).toMatchObject({
      text: DESCRIPTOR,
      fingerprint: '73c5da0a',
      name: '73c5da0a',
    })
    expect(read('Bitcoin', ZPUB)).toMatchObject({
      text: `wpkh(${XPUB}/<0;1>/*)`,
      fingerprint: null,
      name: 'xpub6Cat…jPC7PW6V',
    })
  })

  test('gives the change of BIP 84, and places for signers', () => {
    const { changeAt, placeOf } = read('Bitcoin', DESCRIPTOR)
    expect(changeAt(0)).toBe('bc1q8c6fshw2dlwun7ekn9qwf37cu2rn755upcp6el')
    const place = placeOf(1, 0)
    expect(place).toMatchObject({
      fingerprint: 0x73c5da0a,
      path: [84, 0, 0].map((step) => step + 0x8000_0000).concat(1, 0),
    })
    expect(place?.publicKey).toEqual(at("m/84'/0'/0'/1/0").publicKey)
    expect(read('Bitcoin', ZPUB).placeOf(0, 0)).toBeUndefined()
  })

  test('has no fingerprint where its wallet wrote zeros', () => {
    const key = read('Bitcoin', DESCRIPTOR.replace('73c5da0a', '00000000'))
    expect(key).toMatchObject({ text: `wpkh(${XPUB}/<0;1>/*)`, fingerprint: null })
    expect(key.placeOf(0, 0)).toBeUndefined()
  })

  test('is read again from its own form', () => {
    for (const text of [ZPUB, DESCRIPTOR])
      expect(read('Bitcoin', read('Bitcoin', text).text).text).toBe(read('Bitcoin', text).text)
  })

  test("gives Electrum's addresses at depth 1", () => {
    expect(first('Bitcoin', `wpkh(${publicKeyAt("m/0'")})`)).toHaveLength(3)
  })

  test('of a test network is for sandboxes only', () => {
    const test0 = HDKey.fromMasterSeed(Buffer.alloc(32, 7), {
      private: 0x04358394,
      public: 0x043587cf,
    }).derive("m/84'/1'/0'").publicExtendedKey
    const text = `wpkh(${test0}/<0;1>/*)`
    expect(first('Bitcoin', text, 'sandbox')[0]).toMatch(/^tb1q/)
    expect(read('Bitcoin', text, 'sandbox').text).toBe(text)
    expect(() => first('Bitcoin', text)).toThrow(/another network/)
  })
})

describe('a key of an account of Ethereum', () => {
  const JUNK = `${'test '.repeat(11)}junk`

  test.each(['Ethereum', 'Polygon', 'Binance Smart Chain'] as const)(
    'gives the published addresses on %s',
    (network) => {
      expect(first(network, publicKeyAt("m/44'/60'/0'", JUNK))).toEqual([
        '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
        '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
        '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
      ])
    },
  )

  test('may name its origin', () => {
    const account = publicKeyAt("m/44'/60'/0'", ABOUT)
    expect(first('Ethereum', `[73c5da0a/44'/60'/0']${account}`)[0]).toBe(
      '0x9858EfFD232B4033E47d90003D41EC34EcaEda94',
    )
  })
})

test('children are those of the first vector of BIP 32', () => {
  const master = HDKey.fromMasterSeed(Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex'))
  const parent = HDKey.fromExtendedKey(master.derive("m/0'").publicExtendedKey)
  expect(parent.privateKey).toBeNull()
  expect(parent.deriveChild(1).publicExtendedKey).toBe(
    'xpub6ASuArnXKPbfEwhqN6e3mwBcDTgzisQN1wXN9BJcM47sSikHjJf3UFHKkNAWbWMiGj7Wf5uMash7SyYq527Hqck2AxYysAA7xmALppuCkwQ',
  )
})

test('the checksum is that of BIP 380', () => {
  expect(checksumOf('raw(deadbeef)')).toBe('89f8spxm')
  expect(checksumOf('raw(deadbeef)é')).toBeUndefined()
})

test('derived addresses are valid, different and the same again', () => {
  for (let seed = 0; seed < 4; seed += 1) {
    const root = HDKey.fromMasterSeed(createHmac('sha256', 'keys').update(`${seed}`).digest())
    for (const [network, path] of [
      ['Bitcoin', "m/84'/0'/0'"],
      ['Ethereum', "m/44'/60'/0'"],
    ] as const) {
      const account = root.derive(path).publicExtendedKey
      const text = network === 'Bitcoin' ? `wpkh(${account})` : account
      const { addressAt } = read(network, text)
      const derive = () => Array.from({ length: ADDRESSES_AHEAD }, (_, index) => addressAt(index))
      const addresses = derive()
      expect(addresses.filter((address) => !isAddressOn(network, address, 'live'))).toEqual([])
      expect(new Set(addresses).size).toBe(ADDRESSES_AHEAD)
      expect(derive()).toEqual(addresses)
      // As from the private key, which the wallet has.
      const own = root.derive(`${path}/0/7`).publicKey
      expect(own && chainOf(network).addressOfKey?.(own, false)).toBe(addresses[7])
    }
  }
})

const secret = at("m/84'/0'/0'").privateExtendedKey
/** The longest key of one address, in a form of its own. */
const WIF = 'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn'

test.each<[KeyProblem, NetworkName, string, string]>([
  ['private', 'Bitcoin', 'an extended private key', secret],
  ['private', 'Ethereum', 'a private key of an account', at("m/44'/60'/0'").privateExtendedKey],
  ['private', 'Solana', 'a private key anywhere', secret],
  ['private', 'Bitcoin', 'a zprv', `z${secret.slice(1)}`],
  ['private', 'Bitcoin', 'a private descriptor', `wpkh([73c5da0a/84h/0h/0h]${secret}/0/*)`],
  ['private', 'Bitcoin', 'a key of one address', `wpkh(${WIF})`],
  ['private', 'Ethereum', 'a key in hexadecimal digits', `0x${'4f'.repeat(32)}`],
  ['private', 'Bitcoin', 'words', ABOUT],
  ['private', 'Bitcoin', '24 words over lines', `${'abandon\n'.repeat(23)}art`],
  ['underivable', 'Solana', 'any key', ZPUB],
  ['unreadable', 'Bitcoin', 'a cut key', ZPUB.slice(0, -1)],
  ['unreadable', 'Bitcoin', 'a changed key', ZPUB.replace('r1', 'r2')],
  ['unreadable', 'Bitcoin', 'an address', 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'],
  ['unreadable', 'Bitcoin', 'a fixed address of a key', `wpkh(${XPUB}/0/5)`],
  ['unreadable', 'Bitcoin', 'another branch', `wpkh(${XPUB}/2/*)`],
  ['branch', 'Bitcoin', 'the branch of change', `wpkh([73c5da0a/84h/0h/0h]${XPUB}/1/*)`],
  ['checksum', 'Bitcoin', 'a wrong checksum', `${DESCRIPTOR}#qqqqqqqq`],
  ['checksum', 'Bitcoin', 'half a checksum', `${DESCRIPTOR}#qqq`],
  ['script', 'Bitcoin', 'another script', `pkh([73c5da0a/84h/0h/0h]${XPUB}/0/*)`],
  ['script', 'Bitcoin', 'an xpub that tells no purpose', XPUB],
  ['script', 'Bitcoin', 'an xpub of purpose 44', publicKeyAt("m/44'/0'/0'")],
  ['script', 'Bitcoin', 'an xpub of purpose 86', publicKeyAt("m/86'/0'/0'")],
  ['script', 'Bitcoin', 'taproot', `tr([73c5da0a/86h/0h/0h]${XPUB}/0/*)`],
  [
    'script',
    'Bitcoin',
    'a ypub',
    'ypub6Ww3ibxVfGzLrAH1PNcjyAWenMTbbAosGNB6VvmSEgytSER9azLDWCxoJwW7Ke7icmizBMXrzBx9979FfaHxHcrArf3zbeJJJUZPf663zsP',
  ],
  ['depth', 'Bitcoin', 'the first key of a wallet', publicKeyAt('m')],
  ['depth', 'Bitcoin', 'a key below the account', publicKeyAt("m/84'/0'/0'/0")],
  ['depth', 'Ethereum', 'a key below the account', publicKeyAt("m/44'/60'/0'/0")],
  ['depth', 'Bitcoin', 'an origin of another account', `wpkh([73c5da0a/84h/0h/1h]${XPUB}/0/*)`],
  ['depth', 'Bitcoin', 'an origin of another purpose', `wpkh([73c5da0a/49h/0h/0h]${XPUB}/0/*)`],
  ['otherNetwork', 'Ethereum', 'a zpub', ZPUB],
  ['otherNetwork', 'Polygon', 'a descriptor', DESCRIPTOR],
])('refuses as %s on %s: %s', (problem, network, _, text) => {
  const refused = () => read(network, text)
  expect(refused).toThrow(expect.objectContaining({ code: 'badKey', details: { problem } }))
  // Neither a log nor an answer may repeat what was pasted.
  try {
    refused()
  } catch (error) {
    expect(JSON.stringify([error, String(error), (error as Error).stack])).not.toContain(
      text.slice(0, 12),
    )
  }
})

test('what an operator may paste is not taken for private', () => {
  // A public key may hold the letters by chance.
  const lucky = `xpub6CatAprv${XPUB.slice(12)}`
  for (const text of [ZPUB, XPUB, DESCRIPTOR, lucky, 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'])
    expect(isPrivate(text)).toBe(false)
})
