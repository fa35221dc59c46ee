import { compareSigned, sendSigned } from '@pool/contract/coins/batches'
import { base64 } from '@scure/base'
import { Transaction } from '@scure/btc-signer'
import { beforeAll, describe, expect, test } from 'vitest'
import { openNode } from '../../chain/nodes/open.ts'
import { newAddress } from '../../testing/addresses.ts'
import { bitcoinBatches } from '../../testing/bitcoinBatches.ts'
import type { BitcoinPool } from '../../testing/coinsOut.ts'
import { hasLitecoind } from '../../testing/litecoind.ts'
import { codeOf, type Person } from '../../testing/product.ts'
import { followPayouts } from '../payouts/followPayouts.ts'
import { scriptOf } from './psbt.ts'

type SentOutput = { readonly script: Uint8Array; readonly amount: bigint }

describe.skipIf(!hasLitecoind)('a signed file', () => {
  const of = bitcoinBatches()
  const { rows, giveUp, made, fileOf, preview } = of
  let pool: BitcoinPool
  let admin: Person
  beforeAll(() => {
    pool = of.pool()
    admin = of.admin()
  })

  const compare = (id: string, text: string, by = admin) =>
    pool.product.call(compareSigned, { token: by.token, params: { id }, payload: { text } })
  const send = (id: string, text: string, by = admin) =>
    pool.product.call(sendSigned, { token: by.token, params: { id }, payload: { text } })
  /** The file with other outputs. */
  const altered = (
    psbt: string,
    change: (outputs: SentOutput[]) => SentOutput[],
    lockTime?: number,
  ): string => {
    const read = Transaction.fromPSBT(base64.decode(psbt))
    const copy = new Transaction({ version: 2, lockTime: lockTime ?? read.lockTime })
    for (let at = 0; at < read.inputsLength; at += 1) copy.addInput(read.getInput(at))
    const outputs = Array.from({ length: read.outputsLength }, (_, at) => {
      const { script = new Uint8Array(), amount = 0n } = read.getOutput(at)
      return { script, amount }
    })
    for (const each of change(outputs)) copy.addOutput(each)
    return base64.encode(copy.toPSBT(0))
  }
  const poolOf = () => pool.node.ask<string[]>('getrawmempool')
  const follow = async () => {
    await pool.look()
    const { settings } = pool
    await followPayouts(pool.product.context, { settings, node: openNode(settings) })
  }
  const alarmsOf = async (id: string) =>
    (
      await rows<{ kind: string }>(
        'SELECT kind FROM payout_alarms WHERE batch_id = $1 AND ended_at IS NULL AND settled_at IS NULL ORDER BY kind',
        id,
      )
    ).map(({ kind }) => kind)

  test('is sent once by fifty equal presses', async () => {
    const payees = [newAddress(), newAddress()]
    const { id } = await made([
      await pool.approved(100, payees[0]),
      await pool.approved(60, payees[1]),
    ])
    const file = await fileOf(id)
    expect(codeOf(await send(id, file))).toBe('signedUnfinished')
    const signed = pool.sign(file)
    const { changeAddress, change, fee } = await pool.read(admin, id)
    expect((await compare(id, signed)).body).toMatchObject({
      isSame: true,
      lines: expect.arrayContaining([
        { what: 'payment', of: payees[0], expected: '0.002', found: '0.002' },
        { what: 'payment', of: payees[1], expected: '0.0012', found: '0.0012' },
        { what: 'change', of: changeAddress, expected: change, found: change },
        { what: 'fee', of: null, expected: fee, found: fee },
      ]),
    })
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(id, signed)))
    const done = answers.filter(({ status }) => status === 200)
    expect(done.length).toBeGreaterThan(0)
    const [transaction] = new Set(done.map(({ body }) => body.transaction))
    expect(await poolOf()).toEqual([transaction])
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(codeOf(answer)).toBe('batchBusy')
    expect(
      await rows(
        `SELECT after ->> 'transaction' AS transaction FROM audit_entries WHERE action = 'batch.sent' AND subject_id = $1`,
        id,
      ),
    ).toEqual([{ transaction }])
    expect(codeOf(await giveUp(id))).toBe('batchOnChain')
    expect((await send(id, signed)).status).toBe(200)
    await pool.node.mine(2)
    await follow()
    expect(await pool.read(admin, id)).toMatchObject({ state: 'COMPLETED', sentBy: admin.email })
    // Its file would pay again, once signed for other coins.
    expect(codeOf(await pool.file(admin, id))).toBe('batchClosed')
  })

  test('that differs is shown and not sent', async () => {
    const payee = newAddress()
    const { id } = await made([await pool.approved(100, payee)])
    const file = await fileOf(id)
    const thief = scriptOf(newAddress())
    const less = (outputs: SentOutput[]) =>
      outputs.map((each) => (each.amount === 200_000n ? { ...each, amount: 199_000n } : each))
    const fee = (outputs: SentOutput[]) =>
      outputs.map((each) =>
        each.amount > 1_000_000n ? { ...each, amount: each.amount - 5_000n } : each,
      )
    const elsewhere = (outputs: SentOutput[]) =>
      outputs.map((each) => (each.amount === 200_000n ? { ...each, script: thief } : each))
    for (const [change, what] of [
      [less, ['payment', 'fee']],
      [fee, ['change', 'fee']],
      [elsewhere, ['payment', 'other']],
    ] as const) {
      const signed = pool.sign(altered(file, change))
      const { body } = await compare(id, signed)
      expect(body.isSame).toBe(false)
      const wrong = body.lines.filter(({ expected, found }) => expected !== found)
      expect(new Set(wrong.map((line) => line.what))).toEqual(new Set(what))
      expect(codeOf(await send(id, signed))).toBe('signedDiffers')
    }
    const later = pool.sign(altered(file, (outputs) => outputs, 1))
    expect((await compare(id, later)).body.lines.at(-1)?.what).toBe('rest')
    expect(codeOf(await send(id, later))).toBe('signedDiffers')
    expect(await poolOf()).toEqual([])
    expect(
      await rows(`SELECT FROM audit_entries WHERE action = 'batch.sent' AND subject_id = $1`, id),
    ).toEqual([])
    for (const text of ['nothing', '00', file.slice(0, 90)])
      expect(codeOf(await compare(id, text))).toBe('signedUnreadable')
    await giveUp(id)
    expect(codeOf(await send(id, pool.sign(file)))).toBe('batchClosed')
  })

  test('that left a payee out leaves them a way', async () => {
    const [kept, out] = [newAddress(), newAddress()]
    const wanted = await pool.approved(80, out)
    const { id } = await made([await pool.approved(100, kept), wanted])
    const half = altered(await fileOf(id), (outputs) => {
      const left = outputs.filter(({ amount }) => amount !== 160_000n)
      return left.map((each) =>
        each.amount > 1_000_000n ? { ...each, amount: each.amount + 160_000n } : each,
      )
    })
    await pool.node.ask('sendrawtransaction', pool.sign(half))
    await follow()
    // The coins of the file are spent, so it comes at once.
    expect([(await pool.read(admin, id)).state, await alarmsOf(id)]).toEqual(['SEEN', ['OTHER']])
    expect(codeOf(await giveUp(id))).toBe('restMayCome')
    const reasons = await preview([wanted])
    expect(reasons).toMatchObject({
      status: 409,
      body: { details: { problem: 'empty', leftOut: ['inBatch'] } },
    })
    await pool.node.mine(2)
    await follow()
    const answers = await Promise.all([giveUp(id), giveUp(id), giveUp(id)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    await follow()
    expect([(await pool.read(admin, id)).state, await alarmsOf(id)]).toEqual(['COMPLETED', []])
    const next = await made([wanted])
    expect((await send(next.id, pool.sign(await fileOf(next.id)))).status).toBe(200)
    await pool.node.mine(2)
    await follow()
    expect((await pool.read(admin, next.id)).payouts).toMatchObject([{ status: 'COMPLETED' }])
  })
})
