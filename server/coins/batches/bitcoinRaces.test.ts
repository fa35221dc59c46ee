import { makeBatch } from '@pool/contract/coins/batches'
import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../base/db/ids.ts'
import { newAddress } from '../../testing/addresses.ts'
import { bitcoinBatches } from '../../testing/bitcoinBatches.ts'
import { settleSpending } from '../../testing/coinFacts.ts'
import { addOwnAddress, type BitcoinPool } from '../../testing/coinsOut.ts'
import { hasLitecoind } from '../../testing/litecoind.ts'
import { joinPeople } from '../../testing/loanDesk.ts'
import { codeOf, type Person, person, secondProcess } from '../../testing/product.ts'
import { httpOf } from '../../testing/request.ts'
import { tamper } from '../../testing/tamper.ts'

describe.skipIf(!hasLitecoind)('batches of Bitcoin beside others', () => {
  const of = bitcoinBatches()
  const { rows, giveUp, approve, preview, made, inputsOf, fileOf, seen } = of
  let pool: BitcoinPool
  let admin: Person
  beforeAll(() => {
    pool = of.pool()
    admin = of.admin()
  })

  test('collects coins to an address of the pool', async () => {
    const cold = newAddress()
    const collect = (more: object = {}) =>
      pool.make(admin, [], { kind: 'COLLECTION', target: cold, mostFee: '0.01', ...more })
    expect((await collect()).body).toMatchObject({ details: { problem: 'noTarget' } })
    await addOwnAddress(pool.product, { address: cold, networkName: 'Bitcoin', kind: 'COLD' })
    expect((await collect({ mostFee: '0.000001' })).body).toMatchObject({
      code: 'batchImpossible',
      details: { problem: 'feeAboveBound' },
    })
    const { id, state, digest } = (await collect()).body
    // All coins of the pool are worth more than one person may move.
    expect(state).toBe('WAITING')
    expect((await approve(id, digest)).status).toBe(200)
    const read = await pool.read(admin, id)
    expect(read).toMatchObject({
      kind: 'COLLECTION',
      change: null,
      payouts: [{ withdrawalId: null }],
    })
    const signed = pool.sign(await fileOf(id))
    expect(await pool.node.ask('testmempoolaccept', [signed])).toMatchObject([{ allowed: true }])
    expect((await giveUp(id)).status).toBe(200)
  })

  test('leaves out an output that costs more than is borne', async () => {
    const [small, large] = [await pool.approved(490), await pool.approved(2_000)]
    // 31 bytes at 1,000 satoshis are $15.50, which is above $5 and below 1 % of $2,000.
    const dear = { feeRate: 1_000, mostFee: '0.1' }
    expect((await preview([small, large], dear)).body).toMatchObject({
      payouts: [{ withdrawalId: large }],
      leftOut: [{ withdrawalId: small, loanId: null, why: 'feeAboveBound' }],
    })
    expect((await preview([small, large])).body.leftOut).toEqual([])
  })

  test('is given up once another spent one of its coins', async () => {
    const { id } = await made([await pool.approved(40)])
    const [input = ''] = await inputsOf(id)
    const gone = `${'f'.repeat(64)}:0`
    // A second coin, of a fork that lost.
    await rows(
      `INSERT INTO batch_inputs (batch_id, network_name, input, address, units)
       SELECT batch_id, network_name, $2, address, units FROM batch_inputs WHERE batch_id = $1`,
      id,
      gone,
    )
    expect(codeOf(await giveUp(id))).toBe('batchOnChain')
    const spending = await seen(null, [input], 'CONFIRMED')
    expect(codeOf(await giveUp(id))).toBe('batchOnChain')
    await settleSpending(pool.product.database.superuser, spending, [admin.id, of.other().id])
    expect((await giveUp(id)).status).toBe(200)
    await rows('DELETE FROM spendings')
  })

  test('counts what a second account of its maker made', async () => {
    const [one, other] = [
      await person(pool.product, ['ADMIN']),
      await person(pool.product, ['ADMIN']),
    ]
    await joinPeople(pool.product, one, other)
    const first = await made([await pool.approved(6_000)], {}, one)
    const second = await made([await pool.approved(5_000)], {}, other)
    expect([first.state, second.state]).toEqual(['READY', 'WAITING'])
    for (const { id } of [first, second]) expect((await giveUp(id)).status).toBe(200)
  })

  test('spends no coin whose units the node tells otherwise', async () => {
    const { database } = pool.product
    const ids = [await pool.approved(25)]
    await tamper(database, `UPDATE payments SET units = units + 1 WHERE asset = 'BTC'`)
    expect((await pool.make(admin, ids)).body).toMatchObject({
      code: 'batchImpossible',
      details: { problem: 'nodeNotFine' },
    })
    await tamper(database, `UPDATE payments SET units = units - 1 WHERE asset = 'BTC'`)
    expect((await giveUp((await made(ids)).id)).status).toBe(200)
  })

  test('is made once by two processes at once', async () => {
    const elsewhere = await secondProcess(pool.product)
    try {
      for (let round = 0; round < 10; round += 1) {
        const makers = await Promise.all([0, 1, 2, 3].map(() => person(pool.product, ['ADMIN'])))
        const both = [await pool.approved(20), await pool.approved(30)]
        const answers = await Promise.all(
          makers.map(async (maker, at) => {
            const { path, ...sent } = httpOf(makeBatch, {
              token: maker.token,
              payload: pool.payloadOf(at % 2 ? both : both.toReversed()),
            })
            const app = at % 2 ? elsewhere : pool.product.app
            return (await app.inject({ url: path, ...sent })).statusCode
          }),
        )
        expect(answers.toSorted()).toEqual([200, 409, 409, 409])
        const open = await rows<{ batch_id: string }>(
          'SELECT batch_id FROM batch_payouts WHERE withdrawal_id = ANY ($1) AND is_open',
          both,
        )
        expect(open).toHaveLength(2)
        expect(new Set(open.map(({ batch_id }) => batch_id)).size).toBe(1)
        expect((await giveUp(open[0]?.batch_id ?? '')).status).toBe(200)
      }
    } finally {
      await elsewhere.close()
    }
  })

  test('shares no coin and no change with another one', async () => {
    for (let round = 0; round < 5; round += 1) {
      const wanted = [await pool.approved(20), await pool.approved(30), await pool.approved(40)]
      const batches = await Promise.all(wanted.map((each) => made([each])))
      const inputs = (await Promise.all(batches.map(({ id }) => inputsOf(id)))).flat()
      expect(new Set(inputs).size).toBe(inputs.length)
      const change = await Promise.all(
        batches.map(async ({ id }) => (await pool.read(admin, id)).changeAddress),
      )
      expect(new Set(change).size).toBe(3)
      for (const { id } of batches) await giveUp(id)
    }
  })

  test('is approved or given up, never both', async () => {
    const maker = await person(pool.product, ['ADMIN'])
    const outcomes = new Set<string>()
    for (let round = 0; round < 10; round += 1) {
      const { id, digest, state } = await made([await pool.approved(11_000)], {}, maker)
      expect(state).toBe('WAITING')
      const racing = [() => approve(id, digest), () => giveUp(id, maker)]
      const [first, second] = await Promise.all(
        (round % 2 ? racing.toReversed() : racing).map((act) => act()),
      )
      const statuses = [first?.status, second?.status]
      const now = (await pool.read(admin, id)).state
      outcomes.add(`${now} ${statuses.toSorted().join(' ')}`)
      const [row] = await rows<{ open: boolean }>(
        'SELECT bool_or(is_open) AS open FROM batch_payouts WHERE batch_id = $1',
        id,
      )
      expect(row?.open).toBe(now === 'READY')
      if (now === 'READY') await giveUp(id, maker)
    }
    for (const outcome of outcomes)
      expect(outcome).toMatch(/^(READY 200 (409|503)|GIVEN_UP 200 (200|409))$/)
  })

  test('is seen or given up, never both', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { id } = await made([await pool.approved(12)])
      const follow = async () => {
        // As the follower does: both in one transaction.
        const client = await pool.product.database.pool.connect()
        try {
          await client.query('BEGIN')
          const { rowCount } = await client.query(
            `UPDATE batches SET state = 'SEEN' WHERE id = $1 AND state = 'READY'`,
            [id],
          )
          await client.query(
            `INSERT INTO spendings (id, network_name, transaction_id, state, fee_units, fee_asset) VALUES ($1, 'Bitcoin', $2, 'SEEN', 1, 'BTC')`,
            [newId(), `${round}`.padStart(64, '0')],
          )
          await client.query('COMMIT')
          return rowCount === 1
        } finally {
          client.release()
        }
      }
      const given = round % 2 ? undefined : giveUp(id)
      const [isSeen, answer] = await Promise.all([follow(), given ?? giveUp(id)])
      expect(answer.status === 200).toBe(!isSeen)
      expect((await pool.read(admin, id)).state).toBe(isSeen ? 'SEEN' : 'GIVEN_UP')
      await rows('DELETE FROM spendings')
      if (isSeen) {
        await rows(`UPDATE batches SET state = 'READY' WHERE id = $1`, id)
        await giveUp(id)
      }
    }
  })
})
