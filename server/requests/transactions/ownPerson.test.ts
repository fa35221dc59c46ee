import { approveProposal, askProposal } from '@pool/contract/agreements/proposals'
import { cents } from '@pool/contract/base/money'
import { markCompleted, markSent } from '@pool/contract/coins/sending'
import { withdrawalOrder } from '@pool/contract/coins/withdrawalOrder'
import { approve, confirm, reject, rejectDeposit } from '@pool/contract/requests/decisions'
import { deposit, withdraw } from '@pool/contract/requests/requests'
import type { PoolClient } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openLedger } from '../../ledger/engine/ledger.ts'
import { expectWhole } from '../../testing/decisions.ts'
import { joinPeople, newHash } from '../../testing/loanDesk.ts'
import {
  actAs,
  balanceOf,
  codeOf,
  fund,
  type Person,
  type Product,
  person,
  startProduct,
  wallets,
} from '../../testing/product.ts'
import { postDecision } from './decision.ts'

/** An investor, and another account of the same person, which is staff. */

let product: Product
let investor: Person
let other: Person
let admin: Person
beforeAll(async () => {
  product = await startProduct({ SECOND_APPROVAL_ABOVE: '1000' })
  await wallets(product, 30)
})
beforeEach(async () => {
  investor = await person(product)
  await fund(product, investor, cents(10_000_00n))
  other = await person(product, ['ADMIN'])
  admin = await person(product, ['ADMIN'])
  await joinPeople(product, investor, other)
})
afterAll(() => product.close())
afterAll(() => expectWhole(product))

const rows = async <Row>(text: string, ...values: unknown[]): Promise<Row[]> =>
  (await product.database.superuser.query(text, values)).rows
const statusOf = async (id: string) =>
  (await rows<{ status: string }>('SELECT status FROM transactions WHERE id = $1', id))[0]?.status

const asked = async (amount = 20, { id: userId, token } = investor): Promise<string> =>
  (await product.call(withdraw, { token, payload: { userId, amount } })).body.transactionId
const approveAs = (by: Person, transactionId: string) =>
  product.call(approve, { token: by.token, payload: { transactionId, userId: investor.id } })
const approved = async (): Promise<string> => {
  const id = await asked()
  expect((await approveAs(admin, id)).body.status).toBe('APPROVED')
  return id
}
const sendAs = (by: Person, id: string) =>
  product.call(markSent, {
    token: by.token,
    params: { id },
    payload: { networkName: 'Bitcoin', evidence: newHash() },
  })

/** The answer of the database within a transaction that is rolled back. */
const tried = async (steps: (client: PoolClient) => Promise<unknown>): Promise<unknown> => {
  const client = await product.database.pool.connect()
  try {
    await client.query('BEGIN')
    return await steps(client).catch((error: Error) => error.message)
  } finally {
    await client.query('ROLLBACK')
    client.release()
  }
}
const updated = (id: string, columns: string) =>
  tried((client) => client.query(`UPDATE transactions SET ${columns} WHERE id = '${id}'`))

test('no account of its person decides about a withdrawal', async () => {
  const id = await asked()
  const { token } = other
  expect((await approveAs(other, id)).status).toBe(403)
  expect(codeOf(await approveAs(other, id))).toBe('ownTransaction')
  const rejected = await product.call(reject, { token, params: { id }, payload: {} })
  expect(codeOf(rejected)).toBe('ownTransaction')
  expect([await statusOf(id), await balanceOf(product, investor)]).toEqual(['PENDING', 9_980])
  const another = /decided about by another person/
  const now = `decided_by = '${other.id}', updated_at = now()`
  expect(await updated(id, `status = 'APPROVED', ${now}`)).toMatch(another)
  expect(await updated(id, `status = 'REJECTED', ${now}`)).toMatch(another)
  expect((await approveAs(admin, id)).body.status).toBe('APPROVED')
})

test('no account of its person decides about a deposit', async () => {
  const { body } = await product.call(deposit, {
    token: investor.token,
    payload: { userId: investor.id, amount: 20, networkName: 'Bitcoin' },
  })
  const { transactionId } = body
  const { token } = other
  const confirmed = await product.call(confirm, { token, payload: { transactionId } })
  expect(codeOf(confirmed)).toBe('ownTransaction')
  const payload = { reason: 'Never came' }
  const params = { id: transactionId }
  const rejected = await product.call(rejectDeposit, { token, params, payload })
  expect(codeOf(rejected)).toBe('ownTransaction')
  expect(await statusOf(transactionId)).toBe('PENDING')
})

test('no account of its person marks a withdrawal', async () => {
  const id = await approved()
  expect(codeOf(await sendAs(other, id))).toBe('ownTransaction')
  const another = /decided about by another person/
  const sent = `status = 'PROCESSING', sent_at = now(), sent_by = '${other.id}', sent_network = 'Bitcoin', sent_evidence = 'x'`
  expect(await updated(id, sent)).toMatch(another)
  expect((await sendAs(admin, id)).status).toBe(200)
  const completed = await product.call(markCompleted, { token: other.token, params: { id } })
  expect(codeOf(completed)).toBe('ownTransaction')
  const done = `status = 'COMPLETED', completed_at = now(), completed_by = '${other.id}'`
  expect(await updated(id, done)).toMatch(another)
  const { token } = admin
  expect((await product.call(markCompleted, { token, params: { id } })).status).toBe(200)
})

test('the ledger itself knows the accounts of an owner', async () => {
  const [waiting, sent] = [await asked(), await approved()]
  await sendAs(admin, sent)
  const { ledger } = product.context
  const by = { id: other.id, from: 'tests' }
  const about = { by, ownerId: investor.id, amount: cents(20_00n), entry: {} }
  const own = { code: 'ownTransaction' }
  await expect(
    ledger.post({ movement: 'withdrawal_approved', id: waiting, ...about }),
  ).rejects.toMatchObject(own)
  await expect(
    ledger.post({ movement: 'withdrawal_completed', id: sent, ...about }),
  ).rejects.toMatchObject(own)
})

test('an approval by a later own account counts no more', async () => {
  const third = await person(product, ['ADMIN'])
  const id = await asked(2_000)
  expect((await approveAs(third, id)).body.status).toBe('PENDING')
  await joinPeople(product, investor, third)
  expect(codeOf(await approveAs(other, id))).toBe('ownTransaction')
  // Past the product, their approvals count as none.
  const payee = `(SELECT payee_address FROM approvals WHERE transaction_id = '${id}' LIMIT 1)`
  const late = `status = 'APPROVED', decided_by = '${admin.id}', updated_at = now(), payee_address = ${payee}`
  const forged = async (client: PoolClient) => {
    await client.query(
      `INSERT INTO approvals (transaction_id, approved_by, payee_address, amount)
       SELECT transaction_id, $1, payee_address, amount FROM approvals WHERE transaction_id = $2`,
      [admin.id, id],
    )
    await client.query(`UPDATE transactions SET ${late} WHERE id = '${id}'`)
  }
  expect(await tried(forged)).toMatch(/needs 2 approvals/)
  expect((await approveAs(admin, id)).body.status).toBe('PENDING')
  const fourth = await person(product, ['ADMIN'])
  expect((await approveAs(fourth, id)).body.status).toBe('APPROVED')
})

test('a withdrawal of an own account is not passed over', async () => {
  await approved()
  const stranger = await person(product)
  await fund(product, stranger, cents(100_00n))
  const id = await asked(20, stranger)
  const payload = { transactionId: id, userId: stranger.id }
  await product.call(approve, { token: admin.token, payload })
  const passedOver = async ({ token }: Person) =>
    (await product.call(withdrawalOrder, { token, payload: { taking: 'send', ids: [id] } })).body
      .passedOver
  expect((await passedOver(admin)) - (await passedOver(other))).toBe(1)
})

test('the database takes no return by an own account', async () => {
  const id = await approved()
  const [asker, owners] = [await person(product, ['SUPER_ADMIN']), other]
  await rows(`INSERT INTO user_roles (user_id, role) VALUES ($1, 'SUPER_ADMIN')`, owners.id)
  const payload = {
    kind: 'RETURN_WITHDRAWAL',
    transactionId: id,
    userId: investor.id,
    amount: 20,
    reason: 'Never arrived',
  } as const
  const made = await product.call(askProposal, { token: asker.token, payload })
  expect(made.status).toBe(200)
  expect(
    codeOf(
      await product.call(approveProposal, { token: owners.token, params: { id: made.body.id } }),
    ),
  ).toBe('ownTransaction')
  const agreed = `UPDATE proposals SET status = 'DONE', decided_by = $1, decided_at = now(), ended_at = now() WHERE id = $2`
  const returned = `UPDATE transactions SET status = 'RETURNED', returned_at = now(), return_id = $2, reason = 'mine' WHERE id = $1`
  const outcome = await tried(async (client) => {
    await client.query(agreed, [owners.id, made.body.id])
    await client.query(returned, [id, made.body.id])
  })
  expect(outcome).toMatch(/takes two people/)
})

test('approvals of two processes at once pay by another person', async () => {
  const elsewhere = openLedger(product.database.pool)
  const ledgers = [product.context.ledger, elsewhere]
  for (let round = 0; round < 12; round += 1) {
    const id = await asked()
    const about = { id, ownerId: investor.id, amount: cents(20_00n), fee: cents(0n) }
    const post = (by: Person, ledger = elsewhere) =>
      postDecision(
        { ...product.context, ledger },
        { transactionId: id, by: actAs(by) },
        {
          ...about,
          evidence: null,
          networkName: '',
          destinationAddress: '',
        },
        { movement: 'withdrawal_approved' },
      ).then(
        () => 'posted',
        (error: unknown) => (error as { code?: unknown }).code,
      )
    const staff = round % 2 ? [admin, other] : [other, admin]
    const racing = staff.flatMap((by) => ledgers.map((ledger) => ({ by, ledger })))
    const outcomes = await Promise.all(racing.map(({ by, ledger }) => post(by, ledger)))
    const of = (by: Person) => outcomes.filter((_, at) => racing[at]?.by === by).sort()
    expect(of(admin)).toEqual(['alreadyDecided', 'posted'])
    // The state of a decided request is told first.
    for (const outcome of of(other)) expect(['alreadyDecided', 'ownTransaction']).toContain(outcome)
    const decided = 'SELECT decided_by AS by FROM transactions WHERE id = $1'
    expect(await rows(decided, id)).toEqual([{ by: admin.id }])
  }
  expect(await balanceOf(product, investor)).toBe(9_760)
})

test('a role given meanwhile stops a decision or follows it', async () => {
  const outcomes = new Set<string | undefined>()
  for (let round = 0; round < 16; round += 1) {
    const late = await person(product, ['ADMIN'])
    const id = await asked()
    const call = () => approveAs(late, id)
    const join = () => joinPeople(product, investor, late)
    const [first, second] = round % 2 ? [join, call] : [call, join]
    const racing = first()
    if (round % 4 > 1) await racing
    await Promise.all([racing, second()])
    const status = await statusOf(id)
    outcomes.add(status)
    expect(codeOf(await approveAs(late, id))).toBe('ownTransaction')
    if (status === 'PENDING') await approveAs(admin, id)
  }
  expect([...outcomes].sort()).toEqual(['APPROVED', 'PENDING'])
})
