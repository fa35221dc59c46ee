import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountKeyOf } from '../../server/base/chains/accountKeys.ts'
import { psbtOf } from '../../server/coins/batches/psbt.ts'
import { newAddress } from '../../server/testing/addresses.ts'
import {
  asItsOwn,
  hasLitecoind,
  type Litecoind,
  startLitecoind,
} from '../../server/testing/litecoind.ts'
import { openBitcoin } from './bitcoin.ts'
import type { NetworkSigner } from './files.ts'
import { openKeys } from './keys.ts'

type Outputs = { vout: { n: number; scriptPubKey: { addresses?: readonly string[] } }[] }

describe.skipIf(!hasLitecoind)('a signer of Bitcoin', () => {
  const directory = mkdtempSync(join(tmpdir(), 'pool-signer-'))
  const keys = openKeys(join(directory, 'own'))
  const account = accountKeyOf('Bitcoin', keys.facts.bitcoin, 'sandbox')
  const strange = accountKeyOf(
    'Bitcoin',
    openKeys(join(directory, 'strange')).facts.bitcoin,
    'sandbox',
  )
  let node: Litecoind
  let signer: NetworkSigner
  beforeAll(async () => {
    node = await startLitecoind()
    signer = openBitcoin(node, keys.root)
  })
  afterAll(async () => {
    rmSync(directory, { recursive: true })
    await node?.stop()
  })

  const placeOf = (branch: 0 | 1, index: number, of = account) => {
    const place = of.placeOf(branch, index)
    if (!place) throw new Error('the key has no origin')
    return place
  }

  /** A file that spends 0.01 BTC, and pays most of it to an address and 0.002 to change. */
  const fileFor = async (payee: string, of = account) => {
    const address = of.addressAt(3)
    const id = await node.pay(address, '0.01')
    await node.mine()
    const { vout } = await node.ask<Outputs>('getrawtransaction', id, true)
    const own = vout.find(({ scriptPubKey }) => scriptPubKey.addresses?.includes(asItsOwn(address)))
    const previous = await node.ask<string>('getrawtransaction', id)
    const input = { input: `${id}:${own?.n}`, address, units: 1_000_000n, previous }
    return psbtOf(
      [{ ...input, place: placeOf(0, 3, of) }],
      [
        { address: payee, units: 799_000n },
        { address: of.changeAt(0), units: 200_000n, place: placeOf(1, 0, of) },
      ],
      { lockTime: 0, account: of },
    )
  }
  const received = async (address: string) => {
    const { unspents } = await node.ask<{ unspents: { amount: number }[] }>(
      'scantxoutset',
      'start',
      [`addr(${asItsOwn(address)})`],
    )
    return unspents.map(({ amount }) => amount)
  }

  test('reads, signs and sends a file, which pays once', async () => {
    const payee = newAddress()
    const text = await fileFor(payee)
    expect(await signer.read(text)).toMatchObject({
      kind: 'PSBT',
      fee: '0.00001 BTC',
      faults: [],
      payments: [
        { address: payee, amount: '0.00799', isOwn: false },
        { address: account.changeAt(0), amount: '0.002', isOwn: true },
      ],
    })
    expect(await signer.send(text)).toContain('It waits for a block.')
    await expect(signer.send(text)).rejects.toThrow('Nothing more is paid.')
    await node.mine()
    await expect(signer.send(text)).rejects.toThrow('Nothing more is paid.')
    expect(await received(payee)).toEqual([0.00799])
  })

  test('signs no coins of another key', async () => {
    const text = await fileFor(newAddress(), strange)
    expect((await signer.read(text))?.payments.map(({ isOwn }) => isOwn)).toEqual([false, false])
    await expect(signer.send(text)).rejects.toThrow('The signer has no key for 1 of its coins.')
  })

  test('pays by hand from coins that a file wanted', async () => {
    const [payee, other] = [newAddress(), newAddress()]
    const text = await fileFor(payee)
    await signer.payByHand('BTC', other, '0.009')
    await expect(signer.send(text)).rejects.toThrow('Another transaction spends one of its coins.')
    await node.mine()
    expect([await received(other), await received(payee)]).toEqual([[0.009], []])
    await expect(signer.payByHand('BTC', other, '21')).rejects.toThrow(/^The signer has 0\.\d+ BTC/)
    await expect(signer.payByHand('BTC', '0x12', '0.0001')).rejects.toThrow('This is no address')
  })

  test('knows a text that is no file of Bitcoin', async () => {
    expect(await signer.read('{"version": "1.0"}')).toBeUndefined()
    await expect(signer.read('cHNidP8BAA')).rejects.toThrow('This PSBT cannot be read.')
  })
})
