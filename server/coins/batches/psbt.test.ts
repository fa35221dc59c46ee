import { randomBytes } from 'node:crypto'
import { base64 } from '@scure/base'
import { HDKey } from '@scure/bip32'
import { Transaction } from '@scure/btc-signer'
import { RawPSBTV0 } from '@scure/btc-signer/psbt.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountKeyOf, type Branch, type KeyPlace } from '../../base/chains/accountKeys.ts'
import type { BitcoinSettings } from '../../base/configuration/chainsFile.ts'
import { type Electrum, hasElectrum, openElectrum } from '../../testing/electrum.ts'
import {
  hasLitecoind,
  LITECOIN_REGTEST,
  type Litecoind,
  startLitecoind,
} from '../../testing/litecoind.ts'
import { openOutputs, psbtOf, type SpentOutput, scriptOf } from './psbt.ts'
import { type AskedPsbt, psbtOfCoins } from './psbtWork.ts'
import { weightOf } from './selectCoins.ts'

const TEST_VERSIONS = { private: 0x04358394, public: 0x043587cf }
const root = HDKey.fromMasterSeed(randomBytes(32), TEST_VERSIONS)
const account = root.derive("m/84'/1'/0'")
const fingerprint = root.fingerprint.toString(16).padStart(8, '0')
const text = `wpkh([${fingerprint}/84h/1h/0h]${account.publicExtendedKey}/<0;1>/*)`
const key = accountKeyOf('Bitcoin', text, 'sandbox')
const placeOf = (branch: 0 | 1, index: number) => key.placeOf(branch, index) as KeyPlace

describe.skipIf(!hasLitecoind)('a file for signers', () => {
  let node: Litecoind
  let electrum: Electrum | undefined
  beforeAll(async () => {
    node = await startLitecoind()
    electrum = hasElectrum ? await openElectrum(account) : undefined
  })
  afterAll(async () => {
    electrum?.end()
    await node?.stop()
  })

  /** A confirmed output that pays the address with this number. */
  const funded = async (index: number): Promise<SpentOutput> => {
    const address = key.addressAt(index)
    const id = await node.pay(address, '0.5')
    await node.mine()
    const previous = await node.ask<string>('getrawtransaction', id)
    const { vout } = await node.ask<{
      vout: readonly { n: number; scriptPubKey: { hex: string } }[]
    }>('getrawtransaction', id, true)
    const script = Buffer.from(scriptOf(address)).toString('hex')
    const output = vout.find((each) => each.scriptPubKey.hex === script)
    const input = `${id}:${output?.n}`
    expect(openOutputs()(input, previous)).toMatchObject({ script, units: 50_000_000n })
    return { input, address, units: 50_000_000n, previous, place: placeOf(0, index) }
  }

  /** A file with two inputs, every kind of payee, and change. */
  const made = async (first: number) => {
    const inputs = [await funded(first), await funded(first + 1)]
    const payees = [
      'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
      'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7',
      'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn',
      '2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc',
    ]
    const outputs = payees.map((address) => ({ address, units: 20_000_000n }))
    const scripts = [...payees.map((address) => scriptOf(address).length), 22]
    const fee = BigInt(Math.ceil(weightOf(2, scripts) / 4)) * 3n
    const change = {
      address: key.changeAt(first),
      units: 20_000_000n - fee,
      place: placeOf(1, first),
    }
    const lockTime = await node.ask<number>('getblockcount')
    const file = psbtOf(inputs, [...outputs, change], { lockTime, account: key })
    return { file, lockTime, inputs, payees, fee, change }
  }

  const expectMined = async (
    signed: string,
    { payees, change, fee }: Awaited<ReturnType<typeof made>>,
  ) => {
    const id = await node.ask<string>('sendrawtransaction', signed)
    await node.mine()
    const mined = await node.ask<{
      confirmations: number
      vsize: number
      vin: readonly { sequence: number }[]
      vout: readonly { value: number; scriptPubKey: { hex: string } }[]
    }>('getrawtransaction', id, true)
    expect(mined.confirmations).toBe(1)
    expect(mined.vout.map(({ scriptPubKey }) => scriptPubKey.hex)).toEqual(
      [...payees, change.address].map((address) => Buffer.from(scriptOf(address)).toString('hex')),
    )
    expect(mined.vin.every(({ sequence }) => sequence === 0xffff_fffd)).toBe(true)
    // Three satoshis were meant for each virtual byte.
    expect(Number(fee) / mined.vsize).toBeGreaterThanOrEqual(3)
    expect(Number(fee) / mined.vsize).toBeLessThan(3.05)
  }

  test('is signed by a library and mined', async () => {
    const asked = await made(0)
    const read = Transaction.fromPSBT(base64.decode(asked.file))
    expect(read.sign(root as Parameters<typeof read.sign>[0])).toBe(2)
    read.finalize()
    await expectMined(read.hex, asked)
  })

  test('is signed by Electrum and mined', async ({ skip }) => {
    if (!electrum) return skip('Debian has Electrum, and this machine has not')
    const asked = await made(2)
    await expectMined(await electrum.sign(asked.file), asked)
  })

  test('names whole previous transactions, keys and the place of change', async () => {
    const { file, inputs, change, lockTime } = await made(4)
    const read = Transaction.fromPSBT(base64.decode(file))
    expect(read.lockTime).toBe(lockTime)
    // The account, by which a signer finds its wallet.
    const { global } = RawPSBTV0.decode(base64.decode(file))
    const [[xpub, origin] = []] = global.xpub ?? []
    expect(xpub?.publicKey).toEqual(account.publicKey)
    const path = placeOf(0, 0).path.slice(0, 3)
    expect(origin).toEqual({ fingerprint: root.fingerprint, path })
    for (const [at, { input, previous }] of inputs.entries()) {
      const found = read.getInput(at)
      expect(found.bip32Derivation?.[0]?.[1]).toEqual({
        fingerprint: root.fingerprint,
        path: placeOf(0, 4 + at).path,
      })
      const [id, number] = input.split(':')
      expect(Buffer.from(found.txid ?? []).toString('hex')).toBe(id)
      expect(found.index).toBe(Number(number))
      expect(openOutputs()(input, previous).units).toBe(found.witnessUtxo?.amount)
    }
    const own = read.getOutput(4).bip32Derivation?.[0]
    expect(own?.[0]).toEqual(account.deriveChild(1).deriveChild(4).publicKey)
    expect(own?.[1].path).toEqual(placeOf(1, 4).path)
    expect(read.getOutput(4).amount).toBe(change.units)
    for (const at of [0, 1, 2, 3]) expect(read.getOutput(at).bip32Derivation).toBeUndefined()
  })

  test('has coins and change in an order that tells nothing', async () => {
    const settings: BitcoinSettings = {
      kind: 'bitcoin',
      network: 'Bitcoin',
      genesis: LITECOIN_REGTEST,
      confirmations: 2,
      url: node.url,
      credentialsFile: node.credentialsFile,
      smallUpTo: 0,
      pollSeconds: 10,
      stuckAfterMinutes: 1_440,
    }
    const funding = [await funded(8), await funded(9), await funded(10)]
    const coins = funding.map(({ input, address, units }, at) => {
      const branch: Branch = 0
      return { input, address, units, keyId: null, branch, index: 8 + at }
    })
    const change = { address: key.changeAt(8), units: 1_000_000n, place: placeOf(1, 8) }
    const outputs = [8, 9, 10].map((index) => ({
      address: key.addressAt(index),
      units: 2_000_000n,
    }))
    const asked: AskedPsbt = {
      settings,
      key: { text, mode: 'sandbox' },
      coins,
      outputs: [...outputs, change],
      lockTime: 1,
    }
    const orders = { coin: new Set<number>(), change: new Set<number>() }
    const first = coins[0]?.input.split(':')[0]
    for (let made = 0; made < 30; made += 1) {
      const read = Transaction.fromPSBT(base64.decode(String(await psbtOfCoins(asked))))
      for (let at = 0; at < 3; at += 1)
        if (Buffer.from(read.getInput(at).txid ?? []).toString('hex') === first) orders.coin.add(at)
      for (let at = 0; at < 4; at += 1)
        if (read.getOutput(at).amount === change.units) orders.change.add(at)
    }
    // One place of three alone comes once in 10^14 tests.
    expect(orders.coin.size).toBeGreaterThan(1)
    expect(orders.change.size).toBeGreaterThan(1)
  })

  test('is refused for a previous transaction that is another one', async () => {
    const [one, other] = [await funded(6), await funded(7)]
    const outputs = [{ address: key.changeAt(6), units: 1_000_000n }]
    const signing = { lockTime: 0, account: key }
    const swapped = { ...one, previous: other.previous }
    expect(() => psbtOf([swapped], outputs, signing)).toThrow(/came as/)
    expect(() => openOutputs()(one.input, other.previous)).toThrow(/came as/)
    // An output that says more than it has would cost the difference as a fee.
    expect(() => psbtOf([{ ...one, units: one.units + 1n }], outputs, signing)).toThrow(
      /is another one/,
    )
  })
})
