import { cents } from '@pool/contract/base/money'
import { markCompleted, markSent } from '@pool/contract/coins/sending'
import { adminFigures } from '@pool/contract/reports/figures'
import { transactionStory } from '@pool/contract/requests/stories'
import { listTransactions, totalBalance } from '@pool/contract/requests/transactions'
import { beforeAll, expect, test } from 'vitest'
import { newAddress } from '../../testing/addresses.ts'
import { expectWhole, letHoursPass } from '../../testing/decisions.ts'
import { actAs, investorWith, type Person, person, testProduct } from '../../testing/product.ts'
import { approveWithdrawal } from './approveWithdrawal.ts'
import { rejectWithdrawal } from './rejectWithdrawal.ts'
import { requestWithdrawal } from './requestWithdrawal.ts'

const product = testProduct()
let admin: Person
let other: Person
beforeAll(async () => {
  admin = await person(product, ['ADMIN'])
  other = await person(product, ['ADMIN'])
})

const newHash = () => `${crypto.randomUUID()}${crypto.randomUUID()}`.replaceAll('-', '')

const pending = async (destinationAddress = newAddress(), networkName?: string) => {
  const investor = await investorWith(product, 50)
  const { transactionId } = await requestWithdrawal(product.context, {
    by: { id: investor.id, from: 'tests' },
    amount: cents(20_00n),
    destinationAddress,
    networkName,
  })
  return { investor, transactionId }
}
const approved = async (...destination: Parameters<typeof pending>) => {
  const { investor, transactionId } = await pending(...destination)
  // A new approver has not used any limit.
  const approver = await person(product, ['ADMIN'])
  const by = actAs(approver)
  await approveWithdrawal(product.context, { transactionId, userId: investor.id, by })
  return { investor, transactionId, approver }
}
const send = (id: string, evidence: string, { by = admin, networkName = 'Bitcoin' } = {}) =>
  product.call(markSent, { token: by.token, params: { id }, payload: { networkName, evidence } })
const complete = (id: string, by = admin) =>
  product.call(markCompleted, { token: by.token, params: { id } })
const codeOf = ({ status, body }: { status: number; body: unknown }) =>
  status < 400 ? status : (body as { code: string }).code
const storyOf = async (id: string, { token }: Person) =>
  (await product.call(transactionStory, { token, params: { id } })).body
const query = (text: string) => product.database.superuser.query(text)

test('an approved withdrawal is sent, then completed', async () => {
  const { investor, transactionId, approver } = await approved()
  const before = (await storyOf(transactionId, investor)).transaction
  const hash = newHash()
  expect(await send(transactionId, ` 0x${hash.toUpperCase()}`)).toMatchObject({
    status: 200,
    body: { transactionId, status: 'PROCESSING' },
  })
  const sent = await storyOf(transactionId, investor)
  expect(sent.transaction).toMatchObject({
    status: 'PROCESSING',
    sent: { evidence: hash, networkName: 'Bitcoin' },
  })
  expect(sent.transaction.updatedAt).not.toEqual(before.updatedAt)
  expect(await complete(transactionId, other)).toMatchObject({ body: { status: 'COMPLETED' } })

  const { events, transaction, transfers } = await storyOf(transactionId, admin)
  expect(transaction.status).toBe('COMPLETED')
  expect(events.map(({ what, by }) => [what, by.kind, by.username])).toEqual([
    ['requested', 'owner', investor.email],
    ['approved', 'staff', approver.email],
    ['sent', 'you', undefined],
    ['completed', 'staff', other.email],
  ])
  expect(transfers.map(({ movement, from, to }) => [movement, from, to])).toEqual([
    ['withdrawal_held', 'available', 'held'],
    ['withdrawal_approved', 'held', 'outgoing'],
    ['withdrawal_completed', 'outgoing', 'custody'],
  ])
  await expectWhole(product)
})

test('a search finds a withdrawal by its chain transaction', async () => {
  const { investor, transactionId } = await approved()
  const hash = newHash()
  await send(transactionId, hash)
  for (const [search, reader] of [
    [hash, admin],
    [`0x${hash.toUpperCase()}`, investor],
  ] as const) {
    const found = await product.call(listTransactions, { token: reader.token, query: { search } })
    expect(found.body.map(({ id }) => id)).toEqual([transactionId])
  }
  const stranger = await person(product)
  const hidden = await product.call(listTransactions, {
    token: stranger.token,
    query: { search: hash },
  })
  expect(hidden.body).toEqual([])
})

test('the same mark again changes nothing, another is refused', async () => {
  const { transactionId } = await approved()
  const hash = newHash()
  expect(codeOf(await complete(transactionId))).toBe('notToComplete')
  for (const _ of [1, 2]) expect(codeOf(await send(transactionId, hash))).toBe(200)
  expect(codeOf(await send(transactionId, newHash()))).toBe('notToSend')
  for (const _ of [1, 2]) expect(codeOf(await complete(transactionId))).toBe(200)
  expect(codeOf(await send(transactionId, hash))).toBe(200)
  const { rows } = await query(
    `SELECT action FROM audit_entries WHERE subject_id = '${transactionId}' ORDER BY id`,
  )
  expect(rows.map(({ action }) => action)).toEqual([
    'withdrawal.approved',
    'withdrawal.sent',
    'withdrawal.completed',
  ])
})

test('only an approved withdrawal of another person is sent', async () => {
  const waiting = await pending()
  expect(codeOf(await send(waiting.transactionId, newHash()))).toBe('notToSend')
  await rejectWithdrawal(product.context, { ...waiting, by: actAs(admin) })
  expect(codeOf(await send(waiting.transactionId, newHash()))).toBe('notToSend')
  expect(codeOf(await send(crypto.randomUUID(), newHash()))).toBe('transactionNotFound')

  const { investor, transactionId } = await approved()
  await query(`INSERT INTO user_roles (user_id, role) VALUES ('${investor.id}', 'ADMIN')`)
  expect(codeOf(await send(transactionId, newHash(), { by: investor }))).toBe('ownTransaction')
  expect(codeOf(await complete(transactionId, investor))).toBe('ownTransaction')
  const { rows } = await query(
    `SELECT id FROM transactions WHERE user_id = '${investor.id}' AND type = 'deposit'`,
  )
  expect(codeOf(await send(rows[0].id, newHash()))).toBe('notAWithdrawal')
})

test('the transaction must be one of the network paid on', async () => {
  const { transactionId } = await approved(newAddress('Ethereum'), 'Polygon')
  const hash = newHash()
  const on = (networkName: string, evidence = hash) =>
    send(transactionId, evidence, { networkName })
  expect(codeOf(await on('Ethereum'))).toBe('networkDiffers')
  expect(codeOf(await on('Polygon', 'not an id'))).toBe('evidenceInvalid')
  expect(codeOf(await on('Nowhere'))).toBe('evidenceInvalid')
  expect(codeOf(await on('Polygon'))).toBe(200)
  const unnamed = await approved(newAddress('Ethereum'))
  expect(codeOf(await send(unnamed.transactionId, hash))).toBe('networkDiffers')
  expect(codeOf(await send(unnamed.transactionId, hash, { networkName: 'Ethereum' }))).toBe(200)
})

test('eight marks at once send a withdrawal once', async () => {
  const { transactionId } = await approved()
  const hashes = Array.from({ length: 8 }, newHash)
  const answers = await Promise.all(
    hashes.map((hash, n) => send(transactionId, hash, { by: n % 2 ? admin : other })),
  )
  expect(answers.map(codeOf).sort()).toEqual([200, ...Array(7).fill('notToSend')])
  const { transaction } = await storyOf(transactionId, admin)
  expect(transaction.sent?.evidence).toBe(hashes[answers.findIndex(({ status }) => status === 200)])
  const completed = await Promise.all(Array.from({ length: 8 }, () => complete(transactionId)))
  expect(completed.map(codeOf)).toEqual(Array(8).fill(200))
  await expectWhole(product)
})

test('one transaction pays an address once', async () => {
  const address = newAddress()
  const [one, other, elsewhere] = [
    await approved(address),
    await approved(address),
    await approved(),
  ]
  const hash = newHash()
  expect(codeOf(await send(one.transactionId, hash))).toBe(200)
  expect(await send(other.transactionId, hash)).toMatchObject({
    status: 409,
    narration: expect.stringContaining('add the output, such as ID:1'),
    body: { code: 'evidencePaid' },
  })
  expect(codeOf(await send(elsewhere.transactionId, hash))).toBe(200)
  expect(codeOf(await send(other.transactionId, `${hash}:1`))).toBe(200)
  expect(codeOf(await send(other.transactionId, `${hash}:1`))).toBe(200)
  expect(codeOf(await send(other.transactionId, hash))).toBe('notToSend')
  expect((await storyOf(other.transactionId, admin)).transaction.sent?.evidence).toBe(`${hash}:1`)
  const stranger = await approved()
  expect(codeOf(await send(stranger.transactionId, `${hash}:1`))).toBe('evidenceOutputPaid')
  // A note is no address, so one transaction may pay to it twice.
  for (const { transactionId } of [await approved('a note'), await approved('a note')])
    expect(codeOf(await send(transactionId, hash))).toBe(200)
  // One output may pay two withdrawals, if staff say so for both.
  const third = await approved(address)
  expect(codeOf(await send(third.transactionId, `${hash}:1`))).toBe(200)
})

test('eight withdrawals with one payment are sent once', async () => {
  const address = newAddress()
  const waiting = []
  for (let n = 0; n < 8; n += 1) waiting.push(await approved(address))
  const hash = newHash()
  const answers = await Promise.all(
    waiting.map(({ transactionId }, n) => send(transactionId, hash, { by: n % 2 ? admin : other })),
  )
  expect(answers.map(codeOf).sort()).toEqual([200, ...Array(7).fill('evidencePaid')])
})

test('totals stay, and a completion counts for its person', async () => {
  const { investor, transactionId } = await approved()
  const read = async () => [
    (await product.call(totalBalance, { token: admin.token })).body,
    (await product.call(adminFigures, { token: admin.token })).body.days,
    (await query('SELECT * FROM decided_alone() ORDER BY 1, 2, 3')).rows,
  ]
  const before = await read()
  await send(transactionId, newHash())
  expect(await read()).toEqual(before)
  const completer = await person(product, ['ADMIN'])
  expect(codeOf(await complete(transactionId, completer))).toBe(200)
  const [total, days, alone] = await read()
  expect([total, days]).toEqual(before.slice(0, 2))
  expect(alone).toContainEqual({ approver: completer.id, investor: null, amount: 2_000n })
  await letHoursPass(product, 25)
  const { rows } = await query(`SELECT FROM decided_alone() WHERE investor = '${investor.id}'`)
  expect(rows).toEqual([])
})

test('the database refuses other ways to send', async () => {
  const waiting = await pending()
  const { transactionId, investor } = await approved()
  const sent = `sent_at = now(), sent_network = 'Bitcoin', sent_evidence = 'x', sent_by`
  const change = (id: string, columns: string) =>
    expect(query(`UPDATE transactions SET ${columns} WHERE id = '${id}'`)).rejects.toThrow(
      /not allowed|violates check constraint|transactions row is /,
    )
  await change(waiting.transactionId, `status = 'PROCESSING', ${sent} = '${admin.id}'`)
  await change(transactionId, "status = 'PROCESSING'")
  await change(transactionId, `status = 'PROCESSING', ${sent} = '${investor.id}'`)
  await change(transactionId, `status = 'PROCESSING', updated_at = now(), ${sent} = '${admin.id}'`)
  await change(transactionId, "status = 'PENDING'")
  await change(transactionId, "payee_address = 'mine'")
  await change(
    transactionId,
    `status = 'COMPLETED', completed_at = now(), completed_by = '${admin.id}', ${sent} = '${admin.id}'`,
  )
  await send(transactionId, newHash())
  await change(transactionId, "sent_evidence = 'another'")
  await change(transactionId, "status = 'APPROVED'")
})
