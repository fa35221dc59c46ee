import { createHash } from 'node:crypto'
import { approveProposal, askProposal } from '@pool/contract/agreements/proposals'
import { listBatches } from '@pool/contract/coins/batches'
import { markSent } from '@pool/contract/coins/sending'
import { listTransactions } from '@pool/contract/requests/transactions'
import { base64 } from '@scure/base'
import { Transaction } from '@scure/btc-signer'
import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../base/db/ids.ts'
import { openNode } from '../../chain/nodes/open.ts'
import { newAddress } from '../../testing/addresses.ts'
import { bitcoinBatches } from '../../testing/bitcoinBatches.ts'
import { settleSpending } from '../../testing/coinFacts.ts'
import { approvedWithdrawal, type BitcoinPool } from '../../testing/coinsOut.ts'
import { hasLitecoind } from '../../testing/litecoind.ts'
import { stopLooks } from '../../testing/looks.ts'
import { codeOf, type Person, person } from '../../testing/product.ts'
import { followPayouts } from '../payouts/followPayouts.ts'

describe.skipIf(!hasLitecoind)('a batch of Bitcoin', () => {
  const of = bitcoinBatches()
  const { rows, giveUp, approve, preview, made, inputsOf, fileOf, seen } = of
  let pool: BitcoinPool
  let admin: Person
  let other: Person
  beforeAll(() => {
    pool = of.pool()
    admin = of.admin()
    other = of.other()
  })

  test('is shown, made, signed outside and mined', async () => {
    const payees = [newAddress(), newAddress(), newAddress()]
    const ids = await Promise.all(payees.map((payee) => pool.approved(1_000, payee)))
    const shown = (await preview(ids)).body
    expect(shown).toMatchObject({
      format: 'PSBT',
      network: 'Bitcoin',
      coin: 'BTC',
      rate: '50000.00',
      feeRate: 5,
      inputs: 1,
      total: '0.06',
      dollars: 3_000,
      needsSecond: false,
      leftOut: [],
      signer: pool.play.fingerprint,
    })
    expect(await rows('SELECT FROM batches')).toEqual([])

    const { id, state, digest } = await made(ids)
    expect(state).toBe('READY')
    const file = (await pool.file(admin, id)).body
    expect(file).toMatchObject({ format: 'PSBT', name: `bitcoin-batch-${id}.psbt`, digest })
    expect(createHash('sha256').update(file.text).digest('hex')).toBe(digest)
    const sent = await pool.node.ask<string>('sendrawtransaction', pool.sign(file.text))
    await pool.node.mine()
    const mined = await pool.node.ask<{
      confirmations: number
      vout: readonly { value: number; scriptPubKey: { hex: string } }[]
    }>('getrawtransaction', sent, true)
    expect(mined.confirmations).toBe(1)
    // In an order that tells nothing.
    const values = mined.vout.map(({ value }) => value).sort((a, b) => a - b)
    expect(values).toEqual([0.02, 0.02, 0.02, Number(shown.change)].sort((a, b) => a - b))
    const read = await pool.read(admin, id)
    expect(read).toMatchObject({
      state: 'READY',
      madeBy: admin.email,
      fee: shown.fee,
      change: shown.change,
      changeAddress: pool.play.key.changeAt(0),
      payouts: ids.map((withdrawalId, at) => ({
        withdrawalId,
        address: payees[at],
        amount: '0.02',
        dollars: 1_000,
        status: 'APPROVED',
        evidence: null,
      })),
    })
    const listed = (await pool.product.call(listBatches, { token: admin.token })).body
    expect(listed).toMatchObject([{ id, state: 'READY', total: '0.06', payouts: 3 }])
    // The node shows the coins as spent, so it cannot be given up.
    expect(codeOf(await giveUp(id))).toBe('batchOnChain')
    const actions = await rows<{ action: string }>(
      `SELECT action FROM audit_entries WHERE subject_type = 'batch' AND subject_id = $1 ORDER BY id`,
      id,
    )
    expect(actions.map(({ action }) => action)).toEqual(['batch.made', 'batch.fileTaken'])
  })

  test('lets nobody pay its withdrawals in another way', async () => {
    const ids = [await pool.approved(100), await pool.approved(200)]
    const { id } = await made(ids)
    for (const withdrawalId of ids) {
      const marked = await pool.product.call(markSent, {
        token: admin.token,
        params: { id: withdrawalId },
        payload: { networkName: 'Bitcoin', evidence: 'ab'.repeat(32) },
      })
      expect(codeOf(marked)).toBe('inBatch')
      expect(codeOf(await pool.make(admin, [withdrawalId]))).toBe('batchImpossible')
      await expect(
        pool.product.database.pool.query(
          `UPDATE transactions SET status = 'PROCESSING', sent_at = now(), sent_by = $2, sent_network = 'Bitcoin', sent_evidence = 'x' WHERE id = $1`,
          [withdrawalId, admin.id],
        ),
      ).rejects.toThrow(/is in a batch/)
    }
    await giveUp(id)
    const marked = await pool.product.call(markSent, {
      token: admin.token,
      params: { id: ids[0] ?? '' },
      payload: { networkName: 'Bitcoin', evidence: 'ab'.repeat(32) },
    })
    expect(marked.status).toBe(200)
  })

  test('lets no two people give its withdrawals back', async () => {
    const [first, second] = [
      await person(pool.product, ['SUPER_ADMIN']),
      await person(pool.product, ['SUPER_ADMIN']),
    ]
    const { id: transactionId, owner } = await approvedWithdrawal(pool.product, {
      dollars: 50,
      address: newAddress(),
      networkName: 'Bitcoin',
    })
    const asked = {
      kind: 'RETURN_WITHDRAWAL' as const,
      transactionId,
      userId: owner.id,
      amount: 50,
      reason: 'Never sent',
    }
    const proposal = await pool.product.call(askProposal, { token: first.token, payload: asked })
    expect(proposal.status).toBe(200)
    const { id } = await made([transactionId])
    const params = { id: proposal.body.id }
    const approveIt = () => pool.product.call(approveProposal, { token: second.token, params })
    expect(codeOf(await approveIt())).toBe('inBatch')
    await giveUp(id)
    expect((await approveIt()).status).toBe(200)
    expect((await preview([transactionId, await pool.approved(20)])).body.leftOut).toEqual([
      { withdrawalId: transactionId, loanId: null, why: 'returned' },
    ])
  })

  test('excludes the file of an earlier batch of its withdrawals', async () => {
    const wanted = await pool.approved(500)
    const before = await made([wanted])
    const old = await fileOf(before.id)
    expect((await giveUp(before.id)).status).toBe(200)
    expect((await pool.read(admin, before.id)).isAlive).toBe(true)
    // A larger coin arrives, which a new selection would take.
    await pool.fund(['2'], 8)
    const after = await made([wanted, await pool.approved(60)])
    expect(await inputsOf(after.id)).toEqual(expect.arrayContaining(await inputsOf(before.id)))
    const sent = await pool.node.ask<string>(
      'sendrawtransaction',
      pool.sign(await fileOf(after.id)),
    )
    await expect(pool.node.ask('sendrawtransaction', pool.sign(old))).rejects.toThrow()
    await pool.node.mine()
    await expect(pool.node.ask('sendrawtransaction', pool.sign(old))).rejects.toThrow()
    await pool.node.mine()
    await pool.look()
    // The chain completes the second batch, though its file spends coins of the first.
    const { context } = pool.product
    await followPayouts(context, { settings: pool.settings, node: openNode(pool.settings) })
    expect(await pool.read(admin, after.id)).toMatchObject({
      state: 'COMPLETED',
      payouts: [0, 1].map(() => ({ evidence: expect.stringContaining(sent) })),
    })
    expect(await rows('SELECT kind FROM payout_alarms')).toEqual([])
  })

  test('waits while another holds the coins of an earlier one', async () => {
    const [first, second] = [await pool.approved(700), await pool.approved(900)]
    const before = await made([first])
    await giveUp(before.id)
    // The largest coins again, so this one takes what the earlier one had.
    const holding = await made([second])
    expect(await inputsOf(holding.id)).toEqual(await inputsOf(before.id))
    expect(codeOf(await pool.make(admin, [first]))).toBe('batchImpossible')
    const shown = (await preview([first, await pool.approved(25)])).body
    expect(shown.leftOut).toEqual([{ withdrawalId: first, loanId: null, why: 'earlierBatch' }])
    await giveUp(holding.id)
    const again = await made([first])
    expect(await inputsOf(again.id)).toEqual(await inputsOf(before.id))
    await giveUp(again.id)
    // One that nothing explains may be an earlier file, sent after all.
    const [input = ''] = await inputsOf(before.id)
    const spending = await seen(null, [input], 'CONFIRMED')
    expect((await preview([first])).body).toMatchObject({ details: { problem: 'empty' } })
    await rows('UPDATE spendings SET batch_id = $1 WHERE id = $2', before.id, spending)
    expect((await preview([first])).body).toMatchObject({ details: { problem: 'empty' } })
    expect((await pool.read(admin, before.id)).isAlive).toBe(true)
    // One that staff explained makes the earlier ones impossible.
    await rows('UPDATE spendings SET batch_id = NULL WHERE id = $1', spending)
    await settleSpending(pool.product.database.superuser, spending, [admin.id, other.id])
    const free = await made([first])
    expect(await inputsOf(free.id)).not.toContain(input)
    expect((await pool.read(admin, before.id)).isAlive).toBe(false)
    await giveUp(free.id)
    await rows('DELETE FROM spendings')
  })

  test('is given up only while nothing of it is seen', async () => {
    const { id } = await made([await pool.approved(40)])
    const [input = ''] = await inputsOf(id)
    await seen(id, [])
    expect(codeOf(await giveUp(id))).toBe('batchOnChain')
    await rows('DELETE FROM spendings')
    await seen(null, [input])
    expect(codeOf(await giveUp(id))).toBe('batchOnChain')
    await rows('DELETE FROM spendings')
    await rows(`UPDATE batches SET state = 'SEEN' WHERE id = $1`, id)
    expect(codeOf(await giveUp(id))).toBe('restMayCome')
    await rows(`UPDATE batches SET state = 'READY' WHERE id = $1`, id)
    expect((await giveUp(id)).status).toBe(200)
    expect(codeOf(await giveUp(id))).toBe('batchClosed')
    expect(codeOf(await pool.file(admin, id))).toBe('batchClosed')
    await expect(rows(`UPDATE batches SET state = 'READY' WHERE id = $1`, id)).rejects.toThrow(
      /not allowed/,
    )
  })

  test('takes two people above the limit of one', async () => {
    const maker = await person(pool.product, ['ADMIN'])
    const small = await made([await pool.approved(6_000)], {}, maker)
    expect(small.state).toBe('READY')
    // Smaller ones count together.
    const { id, state, digest } = await made([await pool.approved(5_000)], {}, maker)
    expect(state).toBe('WAITING')
    expect(codeOf(await pool.file(admin, id))).toBe('batchClosed')
    expect(codeOf(await approve(id, digest, maker))).toBe('ownBatch')
    expect(codeOf(await approve(id, 'f'.repeat(64)))).toBe('batchDiffers')
    await expect(
      pool.product.database.pool.query(`UPDATE batches SET state = 'READY' WHERE id = $1`, [id]),
    ).rejects.toThrow(/not allowed/)
    expect((await approve(id, digest)).status).toBe(200)
    expect(codeOf(await approve(id, digest))).toBe('batchClosed')
    expect((await pool.file(admin, id)).status).toBe(200)
    expect(await pool.read(admin, id)).toMatchObject({ state: 'READY', approvedBy: other.email })
    for (const each of [small.id, id]) expect((await giveUp(each)).status).toBe(200)
  })

  test('counts one that was given up with its file', async () => {
    const maker = await person(pool.product, ['ADMIN'])
    const wanted = await Promise.all([1, 2, 3].map(() => pool.approved(6_000)))
    const [first, second] = [await made(wanted.slice(0, 1), {}, maker), wanted.slice(1, 2)]
    expect((await giveUp(first.id, maker)).status).toBe(200)
    const taken = await made(second, {}, maker)
    expect(taken.state).toBe('READY')
    expect((await pool.file(maker, taken.id)).status).toBe(200)
    expect((await giveUp(taken.id, maker)).status).toBe(200)
    // Its signed file still pays, so this person alone would move more than the limit.
    const { id, state, digest } = await made(wanted.slice(2, 3), {}, maker)
    expect(state).toBe('WAITING')
    const owner = `(SELECT user_id FROM transactions WHERE id = '${wanted[2]}')`
    const freeze = (at: string) =>
      rows(`UPDATE users SET frozen_at = ${at}, frozen_since = ${at} WHERE id = ${owner}`)
    await freeze('now()')
    expect(codeOf(await approve(id, digest))).toBe('batchLeavesOut')
    await freeze('NULL')
    expect((await approve(id, digest)).status).toBe(200)
    expect((await giveUp(id)).status).toBe(200)
  })

  test('leaves out what it must not pay, and says why', async () => {
    const own = await approvedWithdrawal(pool.product, {
      dollars: 30,
      address: newAddress(),
      networkName: 'Bitcoin',
    })
    await rows(`INSERT INTO user_roles (user_id, role) VALUES ($1, 'ADMIN')`, own.owner.id)
    const elsewhere = await approvedWithdrawal(pool.product, {
      dollars: 30,
      address: newAddress('Ethereum'),
      networkName: 'Ethereum',
    })
    const frozen = await approvedWithdrawal(pool.product, {
      dollars: 30,
      address: newAddress(),
      networkName: 'Bitcoin',
    })
    await rows(
      'UPDATE users SET frozen_at = now(), frozen_since = now() WHERE id = $1',
      frozen.owner.id,
    )
    const paid = await pool.approved(30)
    const unknown = newId()
    const ids = [elsewhere.id, frozen.id, paid, unknown]
    const shown = (await preview(ids)).body
    expect(shown.payouts.map(({ withdrawalId }) => withdrawalId)).toEqual([paid])
    expect(shown.leftOut).toEqual([
      { withdrawalId: elsewhere.id, loanId: null, why: 'otherNetwork' },
      { withdrawalId: frozen.id, loanId: null, why: 'frozen' },
      { withdrawalId: unknown, loanId: null, why: 'notToSend' },
    ])
    expect((await pool.make(admin, ids)).body).toMatchObject({
      code: 'batchLeavesOut',
      details: { count: 3 },
    })
    const mine = (await preview([own.id, paid], {}, own.owner)).body
    expect(mine.leftOut).toEqual([{ withdrawalId: own.id, loanId: null, why: 'own' }])
  })

  test.each([
    ['is above its bound', { feeRate: 1_000 }, 'feeAboveBound'],
    ['names no rate that the node knows', { feeRate: undefined }, 'noFeeRate'],
    ['is of an unknown coin', { coin: 'USDC' }, 'unknownCoin'],
  ])('is refused where its fee or coin %s', async (_, more, problem) => {
    const answer = await pool.make(admin, [await pool.approved(2_000)], more)
    expect(answer.body).toMatchObject({ code: 'batchImpossible', details: { problem } })
  })

  test('says how much is missing', async () => {
    const ids = [
      await pool.approved(90_000),
      await pool.approved(90_000),
      await pool.approved(90_000),
    ]
    expect((await pool.make(admin, ids)).body).toMatchObject({
      code: 'batchImpossible',
      details: { problem: 'insufficient', amount: expect.stringMatching(/^0\.\d+ BTC$/) },
    })
  })

  test('is not made while the node is away or behind', async () => {
    const wanted = [await pool.approved(15)]
    const refusedNow = async () =>
      expect((await pool.make(admin, wanted)).body).toMatchObject({
        code: 'batchImpossible',
        details: { problem: 'nodeNotFine' },
      })
    await rows(`UPDATE chains SET state = 'AWAY'`)
    await refusedNow()
    await rows(`UPDATE chains SET state = 'FINE'`)
    await stopLooks(pool.product.database)
    await refusedNow()
    await rows(`UPDATE chains SET checked_at = now(), height = height + 1`)
    await refusedNow()
    await rows(`UPDATE chains SET height = height - 1`)
    // A node on another fork than the one that was read.
    const [top] = await rows<{ height: bigint; hash: string }>(
      'SELECT height, hash FROM chain_blocks ORDER BY height DESC LIMIT 1',
    )
    await rows(`UPDATE chain_blocks SET hash = $1 WHERE height = $2`, 'f'.repeat(64), top?.height)
    await refusedNow()
    await rows(`UPDATE chain_blocks SET hash = $1 WHERE height = $2`, top?.hash, top?.height)
    const { id } = await made(wanted)
    await giveUp(id)
  })

  test('spends no coin that was just sent by hand', async () => {
    const wanted = [await pool.approved(45)]
    const first = await made(wanted)
    const file = Transaction.fromPSBT(base64.decode(await fileOf(first.id)))
    await giveUp(first.id)
    const [input = ''] = await inputsOf(first.id)
    // The follower has not read it.
    await pool.node.ask('sendrawtransaction', pool.sign(base64.encode(file.toPSBT(0))))
    expect((await pool.make(admin, wanted)).body).toMatchObject({
      code: 'batchImpossible',
      details: { problem: 'empty' },
    })
    const shown = (await preview([await pool.approved(46)])).body
    expect(shown.unusable.spent).toBe(1)
    const { id } = await made([await pool.approved(47)])
    expect(await inputsOf(id)).not.toContain(input)
    await giveUp(id)
    await pool.node.mine()
    await pool.look()
  })

  test('is not made again of what settled coins paid', async () => {
    const [wanted, beside] = [await pool.approved(25), await pool.approved(26)]
    const { id } = await made([wanted])
    await fileOf(id)
    await giveUp(id)
    // Its file was sent with a stranger's output beside, which two people settled.
    const spending = await seen(id, await inputsOf(id), 'CONFIRMED')
    await settleSpending(pool.product.database.superuser, spending, [admin.id, other.id])
    await rows(
      `UPDATE batch_payouts SET transaction_id = s.transaction_id, output = 0 FROM spendings AS s
       WHERE batch_payouts.batch_id = $1 AND s.id = $2`,
      id,
      spending,
    )
    const left = async () => (await preview([wanted, beside])).body.leftOut
    expect(await left()).toEqual([{ withdrawalId: wanted, loanId: null, why: 'earlierBatch' }])
    // A stranger took all of it, so that file pays nothing any more.
    await rows(
      'UPDATE batch_payouts SET transaction_id = NULL, output = NULL WHERE batch_id = $1',
      id,
    )
    expect(await left()).toEqual([])
    await rows('DELETE FROM spendings')
  })

  test('says in the list what takes no mark', async () => {
    const id = await pool.approved(30)
    const shown = async () => {
      const answer = await pool.product.call(listTransactions, {
        token: admin.token,
        query: { ids: id, limit: '1' },
      })
      const [row] = answer.body
      return { batchId: row?.batchId, batchState: row?.batchState }
    }
    const mark = () =>
      pool.product.call(markSent, {
        token: admin.token,
        params: { id },
        payload: { networkName: 'Bitcoin', evidence: 'cd'.repeat(32) },
      })
    expect(await shown()).toEqual({ batchId: undefined, batchState: undefined })
    const batch = await made([id])
    expect(await shown()).toEqual({ batchId: batch.id, batchState: 'READY' })
    expect(codeOf(await mark())).toBe('inBatch')
    await rows(`UPDATE batches SET state = 'SEEN' WHERE id = $1`, batch.id)
    expect(await shown()).toEqual({ batchId: batch.id, batchState: 'SEEN' })
    expect((await mark()).status).toBe(200)
  })
})
