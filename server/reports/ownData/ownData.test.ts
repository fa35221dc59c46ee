import { changeEmail } from '@pool/contract/accounts/emails'
import { addNote } from '@pool/contract/accounts/people'
import { makeReadingKey } from '@pool/contract/accounts/readingKeys'
import { forgotPassword } from '@pool/contract/accounts/users'
import { createWallet } from '@pool/contract/chain/wallets'
import { invest } from '@pool/contract/money/investments'
import { savePayoutAddress } from '@pool/contract/money/payoutAddresses'
import { exportOwnData } from '@pool/contract/reports/ownData'
import { deposit, withdraw } from '@pool/contract/requests/requests'
import { strFromU8, unzipSync } from 'fflate'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newAddress } from '../../testing/addresses.ts'
import { addApp } from '../../testing/factors.ts'
import {
  investorWith,
  PASSWORD,
  type Person,
  type Product,
  person,
  startProduct,
} from '../../testing/product.ts'
import type { Request } from '../../testing/request.ts'
import { makeLiabilities } from '../liabilities/make.ts'
import { sections } from './sections.ts'

let product: Product
let investor: Person
let other: Person
let admin: Person

/** A user with a row in every table that an export tells of. */
const livelyInvestor = async (): Promise<Person> => {
  const investor = await investorWith(product, 500)
  const { id, email, token } = investor
  await product.call(createWallet, {
    token: admin.token,
    payload: { address: newAddress('Ethereum'), networkName: 'Ethereum' },
  })
  await product.call(deposit, {
    token,
    payload: { userId: id, amount: 20, networkName: 'Ethereum', coin: 'USDC' },
  })
  await product.call(withdraw, { token, payload: { userId: id, amount: 20, description: '=1+1' } })
  await product.call(invest, { token, payload: { userId: id, amount: 50, durationDays: 1 } })
  const saved = { address: newAddress(), networkName: 'Bitcoin' }
  await product.call(savePayoutAddress, { token, payload: saved })
  await product.call(forgotPassword, { payload: { username: email } })
  await product.call(addNote, {
    token: admin.token,
    params: { id },
    payload: { text: `About ${email}` },
  })
  await addApp(product, investor)
  await product.call(makeReadingKey, { token, payload: { name: 'A script', days: 30 } })
  return investor
}

beforeAll(async () => {
  product = await startProduct()
  admin = await person(product, ['ADMIN'])
  ;[investor, other] = [await livelyInvestor(), await livelyInvestor()]
})
afterAll(() => product.close())

const ask = ({ token }: Person, request: Request = {}) =>
  product.call(exportOwnData, { ...request, token })

const filesOf = async (who: Person, request: Request = {}): Promise<Record<string, string>> => {
  const { status, body } = await ask(who, request)
  expect(status).toBe(200)
  const files = unzipSync(body as Uint8Array)
  return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, strFromU8(bytes)]))
}
const rowsIn = (files: Record<string, string>, name: string): Record<string, unknown>[] =>
  JSON.parse(files[`${name}.json`] ?? '')

/** Columns of uuids that an export leaves out, with the reason. */
const leftOut: Readonly<Record<string, string>> = {
  'address_keys.added_by': 'an act of staff, in their audit trail',
  'address_keys.id': 'no user',
  'payments.deposit_id': 'no user: what a chain says of an address',
  'payments.id': 'no user: what a chain says of an address',
  'claims.deposit_id': 'exported as the id of the transaction',
  'claims.payment_id': 'no user: what a chain says of an address',
  'transactions.claim_id': 'an own deposit, which is exported',
  'transactions.plan_id': 'no user: the rate and the days are exported',
  'plans.id': 'no user',
  'transactions.return_id': 'a proposal of staff, in their audit trail',
  'borrower_grades.borrower_id': 'no user',
  'borrower_grades.graded_by': 'an act of staff, in their audit trail',
  'borrowers.graded_by': 'an act of staff, in their audit trail',
  'borrowers.recorded_by': 'an act of staff, in their audit trail',
  'loan_collateral.id': 'no user',
  'loan_collateral.loan_id': 'no user',
  'loan_collateral.recorded_by': 'an act of staff, in their audit trail',
  'loan_collateral.withdrawn_by': 'an act of staff, in their audit trail',
  'loan_confirmations.sending_id': 'no user',
  'loan_defaults.id': 'no user',
  'loan_defaults.loan_id': 'no user',
  'loan_disbursements.id': 'no user',
  'loan_disbursements.loan_id': 'no user',
  'loan_documents.borrower_id': 'no user',
  'loan_documents.id': 'no user',
  'loan_documents.loan_id': 'no user',
  'loan_documents.recorded_by': 'an act of staff, in their audit trail',
  'loan_documents.withdrawn_by': 'an act of staff, in their audit trail',
  'loan_instalments.loan_id': 'no user',
  'loan_moves.loan_id': 'no user',
  'loan_repayment_parts.repayment_id': 'no user',
  'loan_repayments.agreed_id': 'a proposal of staff, in their audit trail',
  'loan_reversals.agreed_id': 'a proposal of staff, in their audit trail',
  'loan_repayments.id': 'no user',
  'loan_repayments.loan_id': 'no user',
  'loan_repayments.recorded_by': 'an act of staff, in their audit trail',
  'loan_restructurings.id': 'no user',
  'loan_restructurings.loan_id': 'no user',
  'loan_reversals.id': 'no user',
  'loan_reversals.repayment_id': 'no user',
  'loan_reversals.reversed_by': 'an act of staff, in their audit trail',
  'repayment_files.proposal_id': 'no user',
  'loan_sendings.id': 'no user',
  'loan_sendings.proposal_id': 'no user',
  'loan_sendings.loan_id': 'no user',
  'loan_sendings.release_id': 'no user',
  'loan_updates.id': 'no user',
  'loan_updates.loan_id': 'no user',
  'loan_updates.written_by': 'an act of staff, in their audit trail',
  'loan_write_offs.id': 'no user',
  'loss_announcements.id': 'no user',
  'loss_announcements.loss_id': 'no user',
  'capital_withdrawals.id': 'no user',
  'wind_downs.id': 'no user',
  'ended_pauses.id': 'no user',
  'wind_downs.called_off_id': 'no user',
  'loss_covers.id': 'no user',
  'loss_sharings.id': 'no user',
  'losses_borne.cover_id': 'no user',
  'losses_borne.sharing_id': 'no user',
  'losses_borne.write_off_id': 'no user',
  'loan_write_offs.loan_id': 'no user',
  'loans.borrower_id': 'no user',
  'loans.closed_by': 'an act of staff, in their audit trail',
  'loans.recorded_by': 'an act of staff, in their audit trail',
  'loans.refinances_id': 'no user',
  'write_offs.claim_id': 'no user',
  'write_offs.id': 'no user',
  'unseen_arrivals.id': 'no user: what a chain says of an address',
  'own_addresses.id': 'no user',
  'own_addresses.key_id': 'no user',
  'own_addresses.proposal_id': 'no user',
  'batches.id': 'no user',
  'batch_payouts.batch_id': 'no user',
  'batch_payouts.sending_id': 'no user',
  'batch_inputs.batch_id': 'no user',
  'spendings.id': 'no user',
  'spendings.batch_id': 'no user',
  'spent_coins.spending_id': 'no user',
  'sent_coins.spending_id': 'no user',
  'batch_payouts.withdrawal_id': 'exported as the id of the transaction',
  'batches.made_by': 'an act of staff, in their audit trail',
  'batches.approved_by': 'an act of staff, in their audit trail',
  'batches.given_up_by': 'an act of staff, in their audit trail',
  'spendings.settled_by': 'an act of staff, in their audit trail',
  'spendings.settlement_id': 'no user',
  'payout_alarms.id': 'no user',
  'payout_alarms.batch_id': 'no user',
  'payout_alarms.spending_id': 'no user',
  'payout_alarms.settled_by': 'an act of staff, in their audit trail',
  'unseen_arrivals.settled_by': 'an act of staff, in their audit trail',
  'coin_movements.id': 'no user: what a chain says of the pool',
  'coin_movements.cause_id': 'no user: what a chain says of the pool',
  'coin_movements.takes_back': 'no user: what a chain says of the pool',
  'network_fees.id': 'no user',
  'network_fees.movement_id': 'no user',
  'reconciliations.id': 'no user',
  'reconciled_networks.reconciliation_id': 'no user',
  'reconciled_coins.reconciliation_id': 'no user',
  'reconciled_lines.reconciliation_id': 'no user',
  'block_skips.id': 'no user: what two people agreed of a chain',
  'accepted_breaks.proposal_id': 'no user',
  'accepted_breaks.reconciliation_id': 'no user',
  'pauses.reconciliation_id': 'no user',
  'approvals.approved_by': 'an act of staff, in their audit trail',
  'approvals.transaction_id': 'no user',
  'archived_months.from_id': 'no user',
  'archived_months.until_id': 'no user',
  'audit_entries.nonce': 'no user',
  'contributions.id': 'no user',
  'contributions.payment_id': 'no user',
  'quotes.deposit_id': 'exported as the id of the transaction',
  'rates.id': 'no user',
  'rates.set_by': 'an act of staff, in their audit trail',
  'idempotency_keys.actor_id': 'digests of calls for seven days, whose effects are exported',
  'mail_deliveries.mail_id': 'the log of a mail server, about a mail that is exported',
  'mails.cause': 'no user',
  'movements.reference_id': 'no user: the ledger, whose causes are exported',
  'notes.author_id': 'an act of staff, in their audit trail',
  'proposals.asked_by': 'an act of staff, in their audit trail',
  'proposals.decided_by': 'an act of staff, in their audit trail',
  'transactions.completed_by': 'an act of staff, in their audit trail',
  'transactions.decided_by': 'an act of staff, in their audit trail',
  'transactions.investment_id': 'no user',
  'transactions.repayment_id': 'no user',
  'transactions.sharing_id': 'no user',
  'transactions.sent_by': 'an act of staff, in their audit trail',
  'transactions.wallet_id': 'no user: an own deposit address, which is exported',
  'user_roles.alone_by': 'an act of staff, in their audit trail',
  'wallets.key_id': 'no user',
  'wallets.proposal_id': 'no user',
}

test('every column about users is exported or left out', async () => {
  const { rows } = await sql<{ name: string; table: string; column: string }>`
    SELECT c.table_name || '.' || c.column_name AS name, c.table_name AS table, c.column_name AS column
    FROM information_schema.columns AS c JOIN information_schema.tables AS t USING (table_schema, table_name)
    WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.data_type = 'uuid'`.execute(
    product.context.db,
  )
  const exported = new Set(sections.flatMap(({ tables }) => tables))
  const decided = rows.filter(
    ({ name, table, column }) =>
      name in leftOut ||
      (exported.has(table) && ['id', 'user_id', 'owner_id', 'actor_id'].includes(column)),
  )
  expect(rows.length).toBeGreaterThan(30)
  expect(rows.filter((row) => !decided.includes(row)).map(({ name }) => name)).toEqual([])
  const names = rows.map(({ name }) => name)
  expect(Object.keys(leftOut).filter((name) => !names.includes(name))).toEqual([])
})

test('each section has a row of its owner', async () => {
  const { db } = product.context
  await makeLiabilities(product.context)
  const table = { user_id: investor.id }
  await db
    .insertInto('notice_settings')
    .values({ ...table, mailed: ['deposit.asked'], morning: true })
    .execute()
  await db
    .insertInto('known_devices')
    .values({ ...table, digest: Buffer.from('d'), language: 'en' })
    .execute()
  await db
    .insertInto('proposals')
    .values({
      ...table,
      id: crypto.randomUUID(),
      kind: 'SUSPEND',
      subject: investor.id,
      payload: JSON.stringify({ userId: investor.id }),
      language: 'en',
      reason: 'A drill',
      asked_by: admin.id,
    })
    .execute()
  await product.database.superuser.query(
    `WITH gone AS (
       INSERT INTO payments (id, network_name, transaction_id, output, address, asset, units, decimals, state)
       VALUES (gen_random_uuid(), 'Bitcoin', 'gone', 0, 'address', 'BTC', 1, 8, 'REVERSED') RETURNING id)
     INSERT INTO claims (deposit_id, user_id, amount, open, payment_id, basis)
     SELECT t.id, t.user_id, t.amount, 0, gone.id, 'gone' FROM gone, transactions AS t
     WHERE t.user_id = $1 AND t.type = 'deposit' LIMIT 1`,
    [investor.id],
  )
  await product.database.superuser.query(
    `INSERT INTO borrowers (id, name, country, kind, relation, user_id, grade, grade_reason, recorded_by)
     VALUES (gen_random_uuid(), 'Ann', 'DE', 'person', 'investor', $1, 'B', 'Known', $2)`,
    [investor.id, admin.id],
  )
  const files = await filesOf(investor)
  expect(Object.keys(files).sort()).toEqual(
    sections.flatMap(({ name }) => [`${name}.csv`, `${name}.json`]).sort(),
  )
  for (const { name, columns } of sections) {
    const rows = rowsIn(files, name)
    expect([name, rows.length > 0]).toEqual([name, true])
    expect(Object.keys(rows[0] ?? {})).toEqual(columns)
    expect(files[`${name}.csv`]).toMatch(new RegExp(`^${columns.join(',')}\r\n`))
  }
  expect(rowsIn(files, 'profile')).toMatchObject([{ id: investor.id, email: investor.email }])
  expect(rowsIn(files, 'balances')).toEqual([
    { account: 'available', dollars: 430 },
    { account: 'held', dollars: 20 },
    { account: 'invested', dollars: 50 },
  ])
  expect(rowsIn(files, 'notes-of-staff')).toMatchObject([{ text: `About ${investor.email}` }])
})

test('only the caller is told of, whatever is sent', async () => {
  const { id, email } = other
  const files = await filesOf(investor, {
    payload: { userId: id, username: email },
    query: { userId: id, username: email },
  })
  const foreign = await filesOf(other)
  const all = Object.values(files).join('\n')
  expect(all).toContain(investor.email)
  const secrets = [id, email, admin.id, admin.email]
  expect(secrets.filter((each) => all.includes(each))).toEqual([])
  const idsOf = (each: Record<string, string>) =>
    rowsIn(each, 'transactions').map((row) => row.id as string)
  expect(idsOf(foreign)).toHaveLength(4)
  expect(idsOf(foreign).filter((each) => all.includes(each))).toEqual([])
})

test('no secret is in an archive', async () => {
  const { db } = product.context
  const { rows } = await sql<{ secret: string }>`
    SELECT password_hash AS secret FROM users WHERE id = ${investor.id}
    UNION SELECT encode(token_hash, f) FROM sessions, unnest('{hex,base64}'::text[]) AS f WHERE user_id = ${investor.id}
    UNION SELECT encode(token_digest, f) FROM links, unnest('{hex,base64}'::text[]) AS f WHERE user_id = ${investor.id}
    UNION SELECT encode(digest, f) FROM recovery_codes, unnest('{hex,base64}'::text[]) AS f WHERE user_id = ${investor.id}
    UNION SELECT key_id FROM factors WHERE user_id = ${investor.id}`.execute(db)
  const files = await filesOf(investor)
  const all = Object.values(files).join('\n')
  expect(rows.length).toBeGreaterThan(20)
  expect(rows.filter(({ secret }) => all.includes(secret))).toEqual([])
  expect(all).not.toContain(investor.token)
  const mail = rowsIn(files, 'mails').find(({ text }) => String(text).includes('/reset'))
  expect(mail?.text).toContain('/reset#hidden')
})

test('an archive does not tell which addresses are taken', async () => {
  const asked = async (email: string) => {
    const asker = await person(product)
    await product.call(changeEmail, { token: asker.token, payload: { password: PASSWORD, email } })
    const files = await filesOf(asker)
    return sections.map(({ name }) => rowsIn(files, name).length)
  }
  expect(await asked(other.email)).toEqual(await asked(`${crypto.randomUUID()}@example.com`))
})

test('a cell of a CSV file is no formula', async () => {
  const files = await filesOf(investor)
  expect(files['transactions.csv']).toContain(",'=1+1,")
  expect(rowsIn(files, 'transactions').map((row) => row.destination_address)).toContain('=1+1')
})

test('staff get their acts without the people concerned', async () => {
  const files = await filesOf(admin)
  const all = Object.values(files).join('\n')
  expect(rowsIn(files, 'audit-trail').map(({ action }) => action)).toContain('note.added')
  expect([investor.id, investor.email, other.id].filter((each) => all.includes(each))).toEqual([])
})

test('an export is recorded and told as a notice', async () => {
  const reader = await person(product)
  await filesOf(reader)
  const files = await filesOf(reader)
  expect(rowsIn(files, 'audit-trail')[0]).toMatchObject({ action: 'data.exported', by: 'you' })
  expect(rowsIn(files, 'notices')[0]).toMatchObject({ kind: 'data.exported' })
})

test('an hour allows five exports on all processes', async () => {
  const limited = await startProduct({ RATE_LIMITS: 'on' })
  const reader = await person(limited)
  const { token } = await person(limited)
  for (let n = 0; n < 5; n += 1)
    expect(await limited.call(exportOwnData, reader)).toMatchObject({ status: 200 })
  expect(await limited.call(exportOwnData, reader)).toMatchObject({
    status: 429,
    body: { code: 'tooManyExports', details: { minutes: expect.any(Number) } },
  })
  expect(await limited.call(exportOwnData, { token })).toMatchObject({ status: 200 })
  await limited.close()
})

test('a long history is exported whole from many batches', async () => {
  const saver = await person(product)
  const { rows } = await sql<{ wallet: string }>`SELECT id AS wallet FROM wallets LIMIT 1`.execute(
    product.context.db,
  )
  await sql`
    INSERT INTO transactions (id, user_id, type, amount, status, wallet_id, created_at, updated_at)
    SELECT gen_random_uuid(), ${saver.id}, 'deposit', n, 'REJECTED', ${rows[0]?.wallet}, now(), now()
    FROM generate_series(1, 1234) AS n`.execute(product.context.db)
  const files = await filesOf(saver)
  expect(rowsIn(files, 'transactions')).toHaveLength(1234)
  expect(files['transactions.csv']?.trim().split('\r\n')).toHaveLength(1235)
})
