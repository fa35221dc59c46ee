import { askProposal } from '@pool/contract/agreements/proposals'
import { succeeded } from '@pool/contract/base/messages'
import { cents } from '@pool/contract/base/money'
import { approve, defaultReason, reject } from '@pool/contract/requests/decisions'
import { withdraw } from '@pool/contract/requests/requests'
import { transactionStory } from '@pool/contract/requests/stories'
import { listTransactions } from '@pool/contract/requests/transactions'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { revokeRole, suspendUser } from '../../accounts/users/roles.ts'
import { startSession } from '../../base/sessions/sessions.ts'
import { checkLedger } from '../../ledger/check/check.ts'
import { setLimits } from '../../money/brakes/limits.ts'
import { checkAudit } from '../../records/audit/check.ts'
import { sealAudit } from '../../records/audit/seal.ts'
import {
  balanceOf,
  codeOf,
  fund,
  investorWith,
  type Person,
  type Product,
  person,
  startProduct,
} from '../../testing/product.ts'
import { tamper } from '../../testing/tamper.ts'

const OPERATOR = { name: 'operator', from: 'operator' }
const LARGE = 1_000.01

let product: Product
let admins: Person[]
let investor: Person
beforeAll(async () => {
  product = await startProduct({ SECOND_APPROVAL_ABOVE: '1000' })
  admins = await Promise.all(Array.from({ length: 3 }, () => person(product, ['ADMIN'])))
  investor = await investorWith(product, 1_000_000)
})
afterEach(async () => {
  const { db } = product.context
  const { firstDifference, firstMismatch } = await checkLedger(db)
  await sealAudit(product.context)
  expect([firstDifference, firstMismatch, (await checkAudit(product.context)).firstBreak]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})
afterAll(() => product.close())

const ask = async (amount = LARGE, { id, token } = investor): Promise<string> => {
  const { body } = await product.call(withdraw, { token, payload: { userId: id, amount } })
  return body.transactionId
}
const approveAs = (admin: Pick<Person, 'token'>, transactionId: string, key?: string) =>
  product.call(approve, {
    token: admin.token,
    payload: { transactionId, userId: investor.id },
    ...(key !== undefined && { key }),
  })
const rowFor = async ({ token }: Person, search: string) =>
  (await product.call(listTransactions, { token, query: { search } })).body[0]
const statusOf = async (id: string) => (await rowFor(investor, id))?.status
const storyFor = async ({ token }: Person, id: string) => {
  const { body } = await product.call(transactionStory, { token, params: { id } })
  return body.events.map(({ what, by }) => `${what} by ${by.username ?? by.kind}`)
}
const [first, second, third] = [0, 1, 2].map((place) => () => admins[place] as Person) as [
  () => Person,
  () => Person,
  () => Person,
]

describe('a large withdrawal', () => {
  test('is paid by the second approval, and shows both', async () => {
    const before = (await balanceOf(product, investor)) as number
    const id = await ask()
    expect(await approveAs(first(), id)).toMatchObject({
      status: 200,
      narration: succeeded.firstApproval,
      body: { status: 'PENDING', reason: '' },
    })
    expect(await rowFor(second(), id)).toMatchObject({
      status: 'PENDING',
      approvalsNeeded: 2,
      approvals: [{ username: first().email }],
    })
    expect(await rowFor(investor, id)).not.toHaveProperty('approvals')
    expect(await storyFor(investor, id)).toEqual(['requested by you', 'firstApproval by staff'])

    expect(await approveAs(second(), id)).toMatchObject({
      status: 200,
      narration: 'OK',
      body: { status: 'APPROVED' },
    })
    expect(await balanceOf(product, investor)).toBeCloseTo(before - LARGE, 2)
    expect(await storyFor(third(), id)).toEqual([
      `requested by ${investor.email}`,
      `firstApproval by ${first().email}`,
      `approved by ${second().email}`,
    ])
    const { rows } = await product.database.pool.query(
      'SELECT action, actor FROM audit_entries WHERE subject_id = $1 ORDER BY id',
      [id],
    )
    expect(rows).toEqual([
      { action: 'withdrawal.firstApproval', actor: first().email },
      { action: 'withdrawal.approved', actor: second().email },
    ])
  })

  test('goes on needing two approvals when the limit changes', async () => {
    const id = await ask()
    expect(await approveAs(first(), id)).toMatchObject({ body: { status: 'PENDING' } })
    const { config } = product.context
    await setLimits(product.context, {
      ...config,
      secondApprovalAbove: cents(5_000_000_00n),
      poolSecondApprovalAbove: cents(5_000_000_00n),
    })
    expect(await approveAs(first(), id)).toMatchObject({
      status: 409,
      body: { code: 'approvedAlready' },
    })
    await setLimits(product.context, config)
    await expect(
      product.database.pool.query('UPDATE transactions SET approvals_needed = 1 WHERE id = $1', [
        id,
      ]),
    ).rejects.toThrow(/not allowed/)
  })

  test('is not approved twice by one person on any session', async () => {
    const id = await ask()
    const answer = await approveAs(first(), id, 'a-key')
    expect(await approveAs(first(), id, 'a-key')).toEqual(answer)
    const elsewhere = { token: await startSession(product.context, first().id) }
    const again = await Promise.all(
      Array.from({ length: 10 }, (_, place) => approveAs(place % 2 ? first() : elsewhere, id)),
    )
    expect(again.map((answer) => [answer.status, codeOf(answer)])).toEqual(
      again.map(() => [409, 'approvedAlready']),
    )
    expect(await statusOf(id)).toBe('PENDING')
  })

  test('takes two approvals of fifty admins at once', async () => {
    const many = await Promise.all(Array.from({ length: 50 }, () => person(product, ['ADMIN'])))
    const id = await ask()
    const answers = await Promise.all(many.map((admin) => approveAs(admin, id)))
    const outcomes = answers.map(({ status, body }) => `${status} ${body.status ?? ''}`).sort()
    expect(outcomes).toEqual([
      '200 APPROVED',
      '200 PENDING',
      ...Array.from({ length: 48 }, () => '409 '),
    ])
    const { rows } = await product.database.pool.query(
      'SELECT approved_by FROM approvals WHERE transaction_id = $1',
      [id],
    )
    expect(rows).toHaveLength(2)
  })

  test('needs another approval when the first approver leaves the staff', async () => {
    const lapsed = [await person(product, ['ADMIN']), await person(product, ['ADMIN'])] as const
    const id = await ask()
    await approveAs(lapsed[0], id)
    await revokeRole(product.context, { email: lapsed[0].email, role: 'ADMIN', by: OPERATOR })
    expect(await approveAs(lapsed[1], id)).toMatchObject({ body: { status: 'PENDING' } })
    await suspendUser(product.context, { email: lapsed[1].email, by: OPERATOR })
    // The response names only approvals that count.
    expect(await rowFor(first(), id)).not.toHaveProperty('approvals')
    expect(await approveAs(first(), id)).toMatchObject({ body: { status: 'PENDING' } })
    expect(await rowFor(second(), id)).toMatchObject({ approvals: [{ username: first().email }] })
    expect(await approveAs(second(), id)).toMatchObject({ body: { status: 'APPROVED' } })
  })

  test('approved once can be rejected by a second person', async () => {
    const [plain, reasoned] = [await ask(), await ask()]
    for (const id of [plain, reasoned]) await approveAs(first(), id)
    const { token } = second()
    const rejected = await product.call(reject, { token, params: { id: plain }, payload: {} })
    expect(rejected).toMatchObject({
      status: 200,
      body: { status: 'REJECTED', reason: defaultReason.rejectApproval },
    })
    expect(await product.call(reject, { token, params: { id: plain }, payload: {} })).toEqual(
      rejected,
    )
    await product.call(reject, {
      token,
      params: { id: reasoned },
      payload: { reason: 'Unknown address' },
    })
    expect(await rowFor(investor, reasoned)).toMatchObject({
      status: 'REJECTED',
      reason: 'Unknown address',
    })
    expect(await approveAs(third(), plain)).toMatchObject({
      status: 409,
      narration: 'This transaction was already rejected.',
    })
    expect(await storyFor(investor, plain)).toEqual([
      'requested by you',
      'firstApproval by staff',
      'rejected by staff',
    ])
  })
})

test('can be rejected by its first approver, and shows both', async () => {
  const id = await ask()
  await approveAs(first(), id)
  expect(
    (await product.call(reject, { token: first().token, params: { id }, payload: {} })).status,
  ).toBe(200)
  expect(await storyFor(investor, id)).toEqual([
    'requested by you',
    'firstApproval by staff',
    'rejected by staff',
  ])
})

test('a key of another request is refused after a rejection', async () => {
  const { token } = first()
  const [one, other] = [await ask(20), await ask(20)]
  const turnDown = (id: string, key?: string) =>
    product.call(reject, { token, params: { id }, payload: { reason: 'no' }, ...(key && { key }) })
  for (const answer of [
    await turnDown(other),
    await turnDown(one, 'one-key'),
    await turnDown(other),
  ])
    expect(answer.status).toBe(200)
  expect(await turnDown(other, 'one-key')).toMatchObject({
    status: 422,
    body: { code: 'keyReused' },
  })
})

describe('the database itself refuses', () => {
  const post = (transactionId: string, owner: Person, decidedBy: string) =>
    product.context.ledger.post({
      movement: 'withdrawal_approved',
      by: { id: decidedBy, from: 'tests' },
      id: transactionId,
      ownerId: owner.id,
      amount: cents(20_00n),
      entry: {},
    })

  test('a decision of the owner, an investor or former staff', async () => {
    const self = await person(product, ['USER', 'ADMIN'])
    await fund(product, self, cents(100_00n))
    const own = await ask(20, self)
    const lapsed = await person(product, ['ADMIN'])
    await revokeRole(product.context, { email: lapsed.email, role: 'ADMIN', by: OPERATOR })
    await expect(post(own, self, self.id)).rejects.toMatchObject({ code: 'ownTransaction' })
    await expect(post(own, self, investor.id)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(post(own, self, lapsed.id)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(post(own, investor, first().id)).rejects.toMatchObject({ code: 'ownerMismatch' })
    await expect(post(crypto.randomUUID(), self, first().id)).rejects.toMatchObject({
      code: 'transactionNotFound',
    })
    expect(await balanceOf(product, self)).toBe(80)
  })

  test('an UPDATE without enough approvals or by the owner', async () => {
    const id = await ask()
    const set = (values: string) =>
      product.database.pool.query(`UPDATE transactions SET ${values} WHERE id = '${id}'`)
    await expect(
      set(`status = 'APPROVED', ending = 'decided', decided_by = '${first().id}'`),
    ).rejects.toThrow(/decide about that much alone/)
    await approveAs(first(), id)
    await expect(
      set(`status = 'APPROVED', ending = 'decided', decided_by = '${first().id}'`),
    ).rejects.toThrow(/needs 2 approvals/)
    await product.database.pool.query('INSERT INTO approvals VALUES ($1, $2)', [id, investor.id])
    await expect(
      set(`status = 'COMPLETED', ending = 'decided', decided_by = '${first().id}'`),
    ).rejects.toThrow(/needs 2 approvals/)
    await expect(
      set(`status = 'REJECTED', ending = 'decided', decided_by = '${investor.id}'`),
    ).rejects.toThrow(/transactions_decided_by_another/)
    for (const statement of [
      'UPDATE approvals SET approved_by = approved_by',
      'DELETE FROM approvals',
      'TRUNCATE approvals',
    ])
      await expect(product.database.superuser.query(statement)).rejects.toThrow(/not allowed/)
    // The audit check would find an approval without an entry.
    await tamper(product.database, `DELETE FROM approvals WHERE approved_by = '${investor.id}'`)
  })
})

describe('a lone super admin and whom they let in', () => {
  let boss: Person
  let friend: Person
  beforeAll(async () => {
    boss = await person(product, ['SUPER_ADMIN'])
    friend = await person(product)
    const payload = { userId: friend.id, kind: 'GRANT', role: 'ADMIN', reason: 'My other account' }
    const granted = await product.call(askProposal, { token: boss.token, payload })
    expect(granted.body).toMatchObject({ isInForce: true })
  })

  test('are one person for a day', async () => {
    const id = await ask()
    expect((await approveAs(boss, id)).body).toMatchObject({ status: 'PENDING' })
    const refused = await approveAs(friend, id)
    expect([refused.status, codeOf(refused)]).toEqual([409, 'samePerson'])
    expect((await approveAs(first(), id)).body).toMatchObject({ status: 'APPROVED' })
    const other = await ask()
    await approveAs(friend, other)
    expect(codeOf(await approveAs(boss, other))).toBe('samePerson')
    // Past the product, too.
    const client = await product.database.pool.connect()
    try {
      await client.query('BEGIN')
      await client.query(
        `INSERT INTO approvals (transaction_id, approved_by, payee_address)
         SELECT transaction_id, $1, payee_address FROM approvals WHERE transaction_id = $2`,
        [boss.id, other],
      )
      const approved = client.query(
        "UPDATE transactions SET status = 'APPROVED', ending = 'decided', decided_by = $1, updated_at = now() WHERE id = $2",
        [boss.id, other],
      )
      await expect(approved).rejects.toThrow(/needs 2 approvals/)
    } finally {
      await client.query('ROLLBACK')
      client.release()
    }
  })

  test('share the limit of one person', async () => {
    // Two people confirmed these deposits, so they use up no limit.
    const owners = [await investorWith(product, 2_000), await investorWith(product, 2_000)]
    const statuses: string[] = []
    for (const [place, owner] of owners.entries()) {
      const transactionId = await ask(600, owner)
      const answer = await product.call(approve, {
        token: (place === 0 ? boss : friend).token,
        payload: { transactionId, userId: owner.id },
      })
      statuses.push(answer.body.status)
    }
    expect(statuses).toEqual(['APPROVED', 'PENDING'])
  })

  test('are two people after a day', async () => {
    await product.database.superuser.query(
      "UPDATE user_roles SET granted_at = granted_at - interval '25 hours' WHERE alone_by IS NOT NULL",
    )
    const id = await ask()
    await approveAs(boss, id)
    expect((await approveAs(friend, id)).body).toMatchObject({ status: 'APPROVED' })
  })
})
