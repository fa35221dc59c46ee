import {
  approveProposal,
  askProposal,
  declineProposal,
  listProposals,
} from '@pool/contract/agreements/proposals'
import { listAlarms, type PayoutAlarm, settleAlarm } from '@pool/contract/coins/payouts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../base/db/ids.ts'
import { openNode } from '../../chain/nodes/open.ts'
import { checkRowsAgainstTrail } from '../../records/audit/rowsAgainstTrail.ts'
import { newAddress } from '../../testing/addresses.ts'
import { hasAnvil } from '../../testing/anvil.ts'
import { expectWhole } from '../../testing/decisions.ts'
import { addOwn } from '../../testing/ownCoins.ts'
import { dollars, type PaidProduct, startPaidProduct } from '../../testing/paidProduct.ts'
import { codeOf, type Person, person, secondProcess } from '../../testing/product.ts'
import { httpOf } from '../../testing/request.ts'
import { tamper } from '../../testing/tamper.ts'
import { followPayouts } from '../payouts/followPayouts.ts'
import { postCoins } from './postCoins.ts'

const REASON = 'The yearly fee of the custodian'

describe.skipIf(!hasAnvil)('coins that left without a batch', () => {
  let paid: PaidProduct
  let first: Person
  let second: Person
  beforeAll(async () => {
    paid = await startPaidProduct()
    await addOwn(paid.product.database, 'Ethereum', paid.anvil.payer)
  })
  afterAll(() => paid?.close())
  beforeEach(async () => {
    first = await person(paid.product, ['SUPER_ADMIN'])
    second = await person(paid.product, ['SUPER_ADMIN'])
  })
  afterAll(() => expectWhole(paid.product))

  const query = async (text: string, values: unknown[] = []) =>
    (await paid.product.database.superuser.query(text, values)).rows
  const follow = async () => {
    await paid.anvil.ask('anvil_mine', '0x44')
    await paid.look()
    const { settings } = paid
    await followPayouts(paid.product.context, { settings, node: openNode(settings) })
    await postCoins(paid.product.context.db, paid.product.context.config)
  }
  /** The alarm of so many dollars that left for a stranger. */
  const left = async (amount = 5): Promise<PayoutAlarm> => {
    const transaction = await paid.usdc.send(newAddress('Ethereum'), dollars(amount))
    await follow()
    return alarmOf(transaction)
  }
  const alarmOf = async (transaction: string | null): Promise<PayoutAlarm> => {
    const { body } = await paid.product.call(listAlarms, { token: first.token })
    const found = body.find((each) => each.transaction === transaction)
    if (!found) throw new Error(`${transaction} has no alarm`)
    return found
  }
  const payloadOf = ({ id, network, transaction, total }: PayoutAlarm, more: object = {}) => ({
    kind: 'SETTLE_SPENDING',
    alarmId: id,
    networkName: network,
    transaction,
    coins: total,
    reason: REASON,
    ...more,
  })
  const ask = (alarm: PayoutAlarm, by = first, more: object = {}) =>
    paid.product.call(askProposal, { token: by.token, payload: payloadOf(alarm, more) as never })
  const asked = async (alarm: PayoutAlarm): Promise<string> => {
    const answer = await ask(alarm)
    expect(answer.status).toBe(200)
    return answer.body.id
  }
  const approve = (id: string, by = second) =>
    paid.product.call(approveProposal, { token: by.token, params: { id } })
  const settledMovements = ({ transaction }: PayoutAlarm) =>
    query(
      "SELECT from_account AS a, units::text FROM coin_movements WHERE kind = 'SETTLED' AND transaction_id = $1",
      [transaction],
    )
  const forged = async () =>
    (await checkRowsAgainstTrail(paid.product.context.db)).findings.filter((each) =>
      each.includes('settling of the coins'),
    )

  test('are settled by two super admins', async () => {
    const alarm = await left()
    expect(alarm).toMatchObject({ kind: 'UNEXPLAINED', total: '5 USDC', settledAt: null })
    const id = await asked(alarm)
    const { body: open } = await paid.product.call(listProposals, { token: second.token })
    expect(open).toMatchObject([
      {
        kind: 'SETTLE_SPENDING',
        reason: REASON,
        about: `Ethereum ${alarm.transaction}`,
        facts: { coins: '5 USDC', networkName: 'Ethereum', transaction: alarm.transaction },
      },
    ])
    expect(codeOf(await approve(id, first))).toBe('ownProposal')
    await follow()
    expect(await settledMovements(alarm)).toEqual([])
    expect((await approve(id)).status).toBe(200)
    await follow()
    expect(await settledMovements(alarm)).toEqual([{ a: 'unexplained', units: '5000000' }])
    expect(await alarmOf(alarm.transaction)).toMatchObject({
      reason: REASON,
      settledBy: second.email,
    })
    expect(codeOf(await ask(alarm))).toBe('alarmSettled')
    expect(
      await query('SELECT action, actor FROM audit_entries WHERE subject_id = $1 ORDER BY id', [
        alarm.id,
      ]),
    ).toEqual([
      { action: 'alarm.raised', actor: 'system' },
      { action: 'agreement.asked', actor: first.email },
      { action: 'agreement.approved', actor: second.email },
    ])
    expect(await forged()).toEqual([])
  })

  test('are settled as they were shown alone', async () => {
    const alarm = await left()
    for (const more of [
      { coins: '4 USDC' },
      { networkName: 'Polygon' },
      { transaction: `0x${'0'.repeat(64)}` },
    ])
      expect(codeOf(await ask(alarm, first, more))).toBe('alarmChanged')
    expect(codeOf(await ask(alarm, first, { alarmId: newId() }))).toBe('alarmNotFound')
    expect((await ask(alarm, first, { reason: ' ' })).status).toBe(400)
    const id = await asked(alarm)
    await addOwn(paid.product.database, 'Ethereum', alarm.sent[0]?.address ?? '', 'COLD')
    expect(codeOf(await approve(id))).toBe('alarmChanged')
    await follow()
    expect(await alarmOf(alarm.transaction)).toMatchObject({ settledAt: null })
    const declined = { token: second.token, params: { id } }
    expect((await paid.product.call(declineProposal, declined)).status).toBe(200)
  })

  test('are not settled by a super admin alone', async () => {
    const alarm = await left()
    const others = await query("SELECT user_id FROM user_roles WHERE role = 'SUPER_ADMIN'")
    await query("DELETE FROM user_roles WHERE role = 'SUPER_ADMIN' AND user_id <> $1", [first.id])
    expect(codeOf(await ask(alarm))).toBe('custodyNeedsTwo')
    for (const { user_id } of others.filter((each) => each.user_id !== first.id))
      await query("INSERT INTO user_roles (user_id, role) VALUES ($1, 'SUPER_ADMIN')", [user_id])
    const params = { id: alarm.id }
    const settling = { token: first.token, params, payload: { reason: REASON } }
    expect(codeOf(await paid.product.call(settleAlarm, settling))).toBe('alarmNeedsTwo')
    expect(await alarmOf(alarm.transaction)).toMatchObject({ settledAt: null })
  })

  test('are settled once of many at once', async () => {
    const third = await person(paid.product, ['SUPER_ADMIN'])
    const elsewhere = await secondProcess(paid.product)
    /** Asks both processes at the same time. */
    const atOnce = (calls: readonly Parameters<typeof httpOf>[]) =>
      Promise.all(
        calls.map(async ([endpoint, request], at) => {
          const app = at % 2 === 0 ? paid.product.app : elsewhere
          const { statusCode } = await app.inject(httpOf(endpoint, request))
          return statusCode
        }),
      )
    try {
      for (let round = 0; round < 6; round += 1) {
        const alarm = await left(round + 1)
        const askers = [first, second, third, first]
        const answers = await atOnce(
          askers.map(({ token }) => [askProposal, { token, payload: payloadOf(alarm) }]),
        )
        expect(answers.toSorted()).toEqual([200, 409, 409, 409])
        const { body } = await paid.product.call(listProposals, { token: first.token })
        const params = { id: body[0]?.id ?? '' }
        const deciders = [first, second, third, second, third]
        const [decisions] = await Promise.all([
          atOnce(deciders.map(({ token }) => [approveProposal, { token, params }])),
          follow(),
        ])
        expect(decisions.filter((status) => status === 200)).toHaveLength(1)
        await follow()
        expect(await settledMovements(alarm)).toHaveLength(1)
      }
    } finally {
      await elsewhere.close()
    }
    expect(await forged()).toEqual([])
  })

  test('are not settled past two people', async () => {
    const alarm = await left()
    const pool = paid.product.database.pool
    const columns = `settled_at = now(), settled_by = '${first.id}', reason = 'mine'`
    const where = `WHERE transaction_id = '${alarm.transaction}'`
    const byTwo = /takes two people/
    await expect(pool.query(`UPDATE spendings SET ${columns} ${where}`)).rejects.toThrow(byTwo)
    const id = await asked(alarm)
    await expect(
      pool.query(`UPDATE spendings SET ${columns}, settlement_id = '${id}' ${where}`),
    ).rejects.toThrow(byTwo)
    await expect(
      pool.query(`UPDATE payout_alarms SET ${columns} WHERE id = '${alarm.id}'`),
    ).rejects.toThrow(/settled by two people/)
    expect((await approve(id)).status).toBe(200)
    const other = await left(6)
    await expect(
      pool.query(
        `UPDATE spendings SET ${columns}, settlement_id = '${id}' WHERE transaction_id = '${other.transaction}'`,
      ),
    ).rejects.toThrow(byTwo)
    await expect(pool.query(`UPDATE spendings SET reason = 'Other' ${where}`)).rejects.toThrow(
      /not allowed/,
    )
    expect(await forged()).toEqual([])
    await tamper(
      paid.product.database,
      `UPDATE spendings SET ${columns}, settlement_id = '${id}' WHERE transaction_id = '${other.transaction}'`,
    )
    expect(await forged()).toEqual([
      `The settling of the coins of ${other.transaction} on Ethereum has no entries of two people.`,
    ])
    await tamper(
      paid.product.database,
      `UPDATE spendings SET settled_at = NULL, settled_by = NULL, reason = NULL, settlement_id = NULL WHERE transaction_id = '${other.transaction}'`,
    )
  })
})
