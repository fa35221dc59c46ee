import { cents } from '@pool/contract/base/money'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chainOf } from '../../base/chains/networks.ts'
import type { BitcoinSettings } from '../../base/configuration/chainsFile.ts'
import { newAddress } from '../../testing/addresses.ts'
import { type TestDatabase, testDatabase } from '../../testing/database.ts'
import {
  hasLitecoind,
  LITECOIN_REGTEST,
  type Litecoind,
  startLitecoind,
} from '../../testing/litecoind.ts'
import { openBitcoin } from './bitcoin.ts'
import { openAbsence, openProof } from './proof.ts'

describe.skipIf(!hasLitecoind)('a payment that the node is asked for', () => {
  let daemon: Litecoind
  let database: TestDatabase
  let settings: BitcoinSettings
  beforeAll(async () => {
    daemon = await startLitecoind()
    database = await testDatabase()
    settings = {
      network: 'Bitcoin',
      kind: 'bitcoin',
      url: daemon.url,
      credentialsFile: daemon.credentialsFile,
      genesis: LITECOIN_REGTEST,
      pollSeconds: 1,
      confirmations: 3,
      smallUpTo: 100,
      smallConfirmations: 2,
      stuckAfterMinutes: 120,
    }
  })
  afterAll(async () => {
    await database?.close()
    await daemon?.stop()
  })

  /** A payment in the newest block, as its row would have it. */
  const paid = async () => {
    const address = newAddress()
    await daemon.pay(address, '0.1')
    await daemon.mine()
    const node = openBitcoin(settings, {})
    const { height, hash } = await node.head()
    const receivers = new Map([[chainOf('Bitcoin').receiver(address), address]])
    const [payment] = (await node.block(height, { receivers, inputs: new Set() }))?.payments ?? []
    if (payment === undefined) throw new Error('the block has no payment')
    return { ...payment, units: String(payment.units), height, hash }
  }

  test('counts from its depth on, by what it is worth', async () => {
    const payment = await paid()
    const node = openBitcoin(settings, {})
    const counts = async (worth: bigint) =>
      (await openProof(settings, node, [payment]))(payment, cents(worth))
    const [small, large] = [100_00n, 100_01n]
    expect([await counts(small), await counts(large)]).toEqual([false, false])
    await daemon.mine()
    expect([await counts(small), await counts(large)]).toEqual([true, false])
    await daemon.mine()
    expect([await counts(small), await counts(large)]).toEqual([true, true])
  })

  test('is absent once its transaction is deep without it', async () => {
    const { transaction, output, address } = await paid()
    const node = openBitcoin(settings, {})
    const isAbsent = async (at: number) =>
      (await openAbsence(database.db, settings, node))({ transaction, output: at, address })
    const other = output + 7
    await daemon.mine()
    expect([await isAbsent(output), await isAbsent(other)]).toEqual([false, false])
    await daemon.mine()
    expect([await isAbsent(output), await isAbsent(other)]).toEqual([false, true])
  })
})
