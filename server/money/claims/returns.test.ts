import { approveProposal, askProposal, declineProposal } from '@pool/contract/agreements/proposals'
import { cents } from '@pool/contract/base/money'
import { markCompleted, markSent } from '@pool/contract/coins/sending'
import { userFigures } from '@pool/contract/reports/figures'
import { listNotices } from '@pool/contract/reports/notices'
import { transactionStory } from '@pool/contract/requests/stories'
import { totalBalance } from '@pool/contract/requests/transactions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { approveWithdrawal } from '../../requests/transactions/approveWithdrawal.ts'
import { requestWithdrawal } from '../../requests/transactions/requestWithdrawal.ts'
import { expectWhole } from '../../testing/decisions.ts'
import {
  actAs,
  balanceOf,
  codeOf,
  investorWith,
  type Person,
  person,
  secondProcess,
  testProduct,
} from '../../testing/product.ts'
import { type Answer, httpOf } from '../../testing/request.ts'
import { tamper } from '../../testing/tamper.ts'

const product = testProduct()
let first: Person
let second: Person
beforeAll(async () => {
  first = await person(product, ['SUPER_ADMIN'])
  second = await person(product, ['SUPER_ADMIN'])
})
afterAll(() => expectWhole(product))

const newHash = () => `${crypto.randomUUID()}${crypto.randomUUID()}`.replaceAll('-', '')
const rows = async <Row>(text: string, ...values: unknown[]): Promise<Row[]> =>
  (await product.database.superuser.query(text, values)).rows

/** A new investor with $100, of which a withdrawal of $20 waits. */
const pending = async () => {
  const investor = await investorWith(product, 100)
  const { transactionId } = await requestWithdrawal(product.context, {
    by: { id: investor.id, from: 'tests' },
    amount: cents(20_00n),
  })
  return { investor, transactionId, userId: investor.id }
}
const approved = async () => {
  const made = await pending()
  // A new approver has not used any limit.
  await approveWithdrawal(product.context, { ...made, by: actAs(await person(product, ['ADMIN'])) })
  return made
}
type Made = Awaited<ReturnType<typeof pending>>

const sent = async () => {
  const made = await approved()
  expect((await send(made)).status).toBe(200)
  return made
}

const send = ({ transactionId: id }: Made, evidence = newHash()) =>
  product.call(markSent, {
    token: first.token,
    params: { id },
    payload: { networkName: 'Bitcoin', evidence },
  })
const complete = ({ transactionId: id }: Made) =>
  product.call(markCompleted, { token: first.token, params: { id } })
const ask = ({ transactionId, userId }: Made, by = first, amount = 20) =>
  product.call(askProposal, {
    token: by.token,
    payload: { kind: 'RETURN_WITHDRAWAL', transactionId, userId, amount, reason: 'Never arrived' },
  })
const approve = (id: string, by = second) =>
  product.call(approveProposal, { token: by.token, params: { id } })

const storyOf = async ({ transactionId }: Made, { token }: Person) =>
  (await product.call(transactionStory, { token, params: { id: transactionId } })).body
const figuresOf = async ({ token }: Person) => (await product.call(userFigures, { token })).body
const statusOf = async ({ transactionId }: Made) =>
  (
    await rows<{ status: string }>('SELECT status FROM transactions WHERE id = $1', transactionId)
  )[0]?.status
const movementsOf = async ({ transactionId }: Made) =>
  (
    await rows<{ name: string }>(
      'SELECT name FROM movements WHERE reference_id = $1 ORDER BY name',
      transactionId,
    )
  ).map(({ name }) => name)
const outgoing = async () =>
  (await rows<{ balance: number }>(`SELECT balance::int FROM accounts WHERE kind = 'outgoing'`))[0]
    ?.balance ?? 0
const totalOfAll = async () => (await product.call(totalBalance, { token: first.token })).body

test('a super admin alone gives nothing back', async () => {
  const made = await approved()
  const suspend = (at: string) =>
    tamper(product.database, `UPDATE users SET suspended_at = ${at} WHERE id = '${second.id}'`)
  await suspend('now()')
  expect(codeOf(await ask(made))).toBe('returnNeedsTwo')
  await suspend('NULL')
  expect(await statusOf(made)).toBe('APPROVED')
  expect((await ask(made)).body).toMatchObject({ isInForce: false })
})

describe('an approved withdrawal', () => {
  test('lies in an account of its own until completed', async () => {
    const before = await outgoing()
    const made = await approved()
    const { investor } = made
    expect(await outgoing()).toBe(before + 20_00)
    expect(await figuresOf(investor)).toMatchObject({ held: 0, onTheWay: 20 })
    expect((await figuresOf(investor)).totals.at(-1)?.total).toBe(100)
    await send(made)
    expect(await figuresOf(investor)).toMatchObject({ onTheWay: 20 })
    const total = await totalOfAll()
    for (const _ of [1, 2]) expect((await complete(made)).status).toBe(200)
    expect(await outgoing()).toBe(before)
    expect(await totalOfAll()).toBe(total)
    expect(await figuresOf(investor)).toMatchObject({ held: 0, onTheWay: 0 })
    expect((await figuresOf(investor)).totals.at(-1)?.total).toBe(80)
    expect(await movementsOf(made)).toEqual([
      'withdrawal_approved',
      'withdrawal_completed',
      'withdrawal_held',
    ])
  })

  test.each([
    ['approved', approved],
    ['sent', sent],
  ])('that is %s is given back by two', async (_, make) => {
    const before = await outgoing()
    const made = await make()
    const { investor } = made
    const isSent = make === sent
    const total = (await totalOfAll()) as number
    const asked = await ask(made)
    expect(asked).toMatchObject({ status: 200, body: { isInForce: false } })
    expect(codeOf(await ask(made, second))).toBe('proposalAsked')
    expect(codeOf(await approve(asked.body.id, first))).toBe('ownProposal')
    expect(await statusOf(made)).toBe(isSent ? 'PROCESSING' : 'APPROVED')
    expect((await approve(asked.body.id)).status).toBe(200)

    expect(await outgoing()).toBe(before)
    expect(await balanceOf(product, investor)).toBe(100)
    expect(await totalOfAll()).toBe(total + 20)
    expect(await figuresOf(investor)).toMatchObject({ held: 0, onTheWay: 0 })
    expect((await figuresOf(investor)).totals.at(-1)?.total).toBe(100)
    const { transaction, events, transfers } = await storyOf(made, investor)
    expect(transaction).toMatchObject({ status: 'RETURNED', reason: 'Never arrived' })
    expect(events.map(({ what, by }) => [what, by.kind])).toEqual([
      ['requested', 'you'],
      ['approved', 'staff'],
      ...(isSent ? [['sent', 'staff']] : []),
      ['returned', 'staff'],
    ])
    expect((await storyOf(made, first)).events.at(-1)?.by.username).toBe(second.email)
    expect(transfers.at(-1)).toMatchObject({
      movement: 'withdrawal_returned',
      from: 'outgoing',
      to: 'available',
      amount: 20,
    })
    const { notices } = (await product.call(listNotices, { token: investor.token, query: {} })).body
    expect(notices[0]).toMatchObject({
      kind: 'withdrawal.returned',
      amount: 20,
      reason: 'Never arrived',
    })
    expect(
      (
        await rows<{ action: string }>(
          'SELECT action FROM audit_entries WHERE subject_id = $1 ORDER BY id',
          made.transactionId,
        )
      ).map(({ action }) => action),
    ).toEqual([
      'withdrawal.approved',
      ...(isSent ? ['withdrawal.sent'] : []),
      'agreement.asked',
      'agreement.approved',
      'withdrawal.returned',
    ])
    // It is final.
    expect(codeOf(await complete(made))).toBe('notToComplete')
    expect(codeOf(await send(made))).toBe('notToSend')
    expect(codeOf(await ask(made))).toBe('notToReturn')
  })

  test('goes on when the proposal is declined', async () => {
    const made = await sent()
    const { body } = await ask(made)
    const declined = { token: second.token, params: { id: body.id } }
    expect((await product.call(declineProposal, declined)).status).toBe(200)
    expect((await complete(made)).status).toBe(200)
  })

  test('that was given back takes no mark', async () => {
    const [ready, gone] = [await approved(), await sent()]
    for (const made of [ready, gone]) await approve((await ask(made)).body.id)
    expect(await send(ready)).toMatchObject({
      status: 409,
      narration: expect.stringContaining('This one is returned.'),
    })
    expect(codeOf(await complete(gone))).toBe('notToComplete')
    expect(codeOf(await ask(ready))).toBe('notToReturn')
    expect([await statusOf(ready), await statusOf(gone)]).toEqual(['RETURNED', 'RETURNED'])
  })
})

test('only an approved withdrawal of another is given back', async () => {
  const waiting = await pending()
  expect(codeOf(await ask(waiting))).toBe('notToReturn')
  const completed = await sent()
  await complete(completed)
  expect(codeOf(await ask(completed))).toBe('notToReturn')
  const made = await approved()
  expect(codeOf(await ask(made, first, 20.01))).toBe('transactionNotFound')
  expect(codeOf(await ask({ ...made, userId: waiting.userId }))).toBe('transactionNotFound')
  expect(codeOf(await ask({ ...made, transactionId: crypto.randomUUID() }))).toBe(
    'transactionNotFound',
  )
  const { investor } = made
  await rows(`INSERT INTO user_roles (user_id, role) VALUES ($1, 'SUPER_ADMIN')`, investor.id)
  expect(codeOf(await ask(made, investor))).toBe('ownTransaction')
  const { body } = await ask(made)
  expect(codeOf(await approve(body.id, investor))).toBe('ownTransaction')
  await rows(`DELETE FROM user_roles WHERE user_id = $1 AND role = 'SUPER_ADMIN'`, investor.id)
  const closed = (at: string) =>
    tamper(product.database, `UPDATE users SET closed_at = ${at} WHERE id = '${investor.id}'`)
  await closed('now()')
  expect(codeOf(await approve(body.id))).toBe('accountClosed')
  await closed('NULL')
})

test('the database refuses other ways out', async () => {
  const [waiting, ready, gone] = [await pending(), await approved(), await sent()]
  /** Changes a row together with a movement, so that only the guard of the change refuses. */
  const change = ({ transactionId: id }: Made, columns: string, refusal: RegExp, name?: string) =>
    expect(
      product.database.pool.query(`
        WITH moved AS (
          INSERT INTO movements (reference_id, name, from_account_id, to_account_id, amount)
          SELECT t.id, '${name}', o.id, a.id, t.amount
          FROM transactions AS t, accounts AS o, accounts AS a
          WHERE t.id = '${id}' AND o.kind = 'outgoing' AND a.owner_id = t.user_id AND a.kind = 'available' AND ${name !== undefined}
        ) UPDATE transactions SET ${columns} WHERE id = '${id}'`),
    ).rejects.toThrow(refusal)
  const { body } = await ask(ready)
  const back = (by: string) =>
    `status = 'RETURNED', returned_at = now(), return_id = '${by}', reason = 'mine'`
  const byTwo = /takes two people/
  const returned = 'withdrawal_returned'
  await change(ready, back(crypto.randomUUID()), byTwo, returned)
  // One person asked, and another must agree.
  await change(ready, back(body.id), byTwo, returned)
  const completed = `status = 'COMPLETED', completed_at = now(), completed_by = '${first.id}'`
  await change(gone, completed, /COMPLETED without its movements/)
  const fixed = /not allowed/
  await change(ready, `${back(body.id)}, updated_at = now()`, fixed, returned)
  await change(waiting, back(body.id), fixed, returned)
  const marked = `status = 'PROCESSING', sent_at = now(), sent_by = '${first.id}', sent_network = 'Bitcoin', sent_evidence = 'x'`
  await change(ready, `${marked}, reason = 'changed'`, fixed)
  await change(ready, `${marked}, returned_at = now()`, /row is given back in part/)
  expect((await approve(body.id)).status).toBe(200)
  await change(gone, back(body.id), byTwo, returned)
  await change(ready, "status = 'APPROVED', returned_at = NULL, return_id = NULL", fixed)
  await change(ready, "reason = 'changed'", fixed)
})

test('a withdrawal that SQL inserts as approved never ends', async () => {
  const made = await approved()
  const id = crypto.randomUUID()
  const act = (text: string, ...values: unknown[]) => product.database.pool.query(text, values)
  await act(
    `INSERT INTO transactions (id, user_id, type, amount, status, destination_network, created_at, updated_at)
     VALUES ($1, $2, 'withdrawal', 1000, 'APPROVED', 'Bitcoin', now(), now())`,
    id,
    made.investor.id,
  )
  await act(
    `UPDATE transactions SET status = 'PROCESSING', sent_at = now(), sent_by = $2, sent_network = 'Bitcoin', sent_evidence = 'x' WHERE id = $1`,
    id,
    first.id,
  )
  await expect(
    act(
      `WITH moved AS (
         INSERT INTO movements (reference_id, name, from_account_id, to_account_id, amount)
         SELECT $1, 'withdrawal_completed', o.id, c.id, 1000 FROM accounts AS o, accounts AS c WHERE o.kind = 'outgoing' AND c.kind = 'custody')
       UPDATE transactions SET status = 'COMPLETED', completed_at = now(), completed_by = $2 WHERE id = $1`,
      id,
      first.id,
    ),
  ).rejects.toThrow(/COMPLETED without its movements/)
  await tamper(product.database, `DELETE FROM transactions WHERE id = '${id}'`)
  await rows('SELECT recount_tallies()')
})

test('completion and return at once have one outcome', async () => {
  const third = await person(product, ['SUPER_ADMIN'])
  const elsewhere = await secondProcess(product)
  const outcomes = new Set<string | undefined>()
  try {
    for (let round = 0; round < 24; round += 1) {
      const made = await approved()
      const hash = newHash()
      if (round % 3 > 0) await send(made, hash)
      const { body } = await ask(made)
      const decide = (by: Person) => () =>
        product.call(approveProposal, { token: by.token, params: { id: body.id } })
      const mark = (n: number) => () =>
        (n % 2 ? elsewhere : product.app)
          .inject({
            ...httpOf(markCompleted, { token: first.token, params: { id: made.transactionId } }),
          })
          .then(({ statusCode }) => ({ status: statusCode }))
      const marks = [0, 1, 2, 3].map(mark)
      const decisions = [decide(second), decide(third)]
      const sending = () => send(made, hash)
      // Either side starts first.
      const racing =
        round % 2 ? [...decisions, sending, ...marks] : [...marks, sending, ...decisions]
      const answers = new Map(
        await Promise.all(
          racing.map(async (act): Promise<[unknown, Pick<Answer, 'status'>]> => [act, await act()]),
        ),
      )
      const succeeded = (acts: readonly unknown[]) =>
        acts.filter((act) => answers.get(act)?.status === 200).length
      for (const { status } of answers.values()) expect([200, 409]).toContain(status)
      const status = await statusOf(made)
      outcomes.add(status)
      expect(await balanceOf(product, made.investor)).toBe(status === 'RETURNED' ? 100 : 80)
      expect(succeeded(decisions)).toBe(status === 'RETURNED' ? 1 : 0)
      if (status === 'RETURNED') expect(succeeded(marks)).toBe(0)
      expect((await movementsOf(made)).length).toBe(3)
    }
  } finally {
    await elsewhere.close()
  }
  expect([...outcomes].sort()).toEqual(['COMPLETED', 'RETURNED'])
})
