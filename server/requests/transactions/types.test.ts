import { accountKinds } from '@pool/contract/money/ledger'
import {
  transactionStatuses,
  transactionTypes,
  typesWith,
} from '@pool/contract/requests/transactions'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../base/db/ids.ts'
import { type TestDatabase, testDatabase } from '../../testing/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

/** The words in the first list of a definition in SQL. */
const wordsIn = (definition: string): string[] =>
  [...(/ARRAY\[([^\]]*)\]/.exec(definition)?.[1] ?? '').matchAll(/'(\w+)'/g)]
    .map(([, word = '']) => word)
    .sort()
const definitionOf = async (statement: string) =>
  wordsIn((await database.superuser.query<{ text: string }>(statement)).rows[0]?.text ?? '')

test.each([
  ['transactions_type_check', transactionTypes],
  ['transactions_status_check', transactionStatuses],
  ['accounts_kind_check', accountKinds],
])('%s allows the words of the contract', async (name, words) => {
  expect(
    await definitionOf(
      `SELECT pg_get_constraintdef(oid) AS text FROM pg_constraint WHERE conname = '${name}'`,
    ),
  ).toEqual([...words].sort())
})

test('the index of statuses holds types that staff decide about', async () => {
  expect(
    await definitionOf("SELECT pg_get_indexdef('transactions_by_status'::regclass) AS text"),
  ).toEqual(typesWith({ decidedBy: 'staff' }).sort())
})

const INVESTOR = newId()
const columns = {
  user_id: `'${INVESTOR}'`,
  type: "'withdrawal'",
  amount: '500',
  status: "'PENDING'",
  created_at: 'now()',
  updated_at: 'now()',
}

test.each<[string, Partial<typeof columns> & Record<string, string>, string]>([
  ['without any term', { type: "'investment'", status: "'COMPLETED'" }, 'an investment in part'],
  ['with a term of an investment', { interest: '5' }, 'an investment in part'],
  [
    'that awaits staff as a payout',
    { type: "'payout'", investment_id: `'${newId()}'` },
    'decision',
  ],
  ['sent without evidence', { status: "'PROCESSING'", sent_at: 'now()' }, 'sent in part'],
  ['sent while it waits', { sent_network: "'Bitcoin'" }, 'sent in part'],
  ['completed while it waits', { completed_at: 'now()' }, 'completed in part'],
  ['with another amount asked for', { requested_amount: '400' }, 'a requested amount'],
  ['of nobody', { user_id: `'${newId()}'` }, 'names a user that does not exist'],
])('the database refuses a transaction %s', async (_, more, fault) => {
  await database.superuser.query(`
    INSERT INTO users (id, username, password_hash, first_name, last_name, country)
    VALUES ('${INVESTOR}', '${INVESTOR}@example.com', 'x', 'A', 'B', 'US') ON CONFLICT DO NOTHING`)
  const insert = (row: Record<string, string>) =>
    database.superuser.query(`INSERT INTO transactions (id, ${Object.keys(row)})
      VALUES ('${newId()}', ${Object.values(row)})`)
  await insert(columns)
  await expect(insert({ ...columns, ...more })).rejects.toThrow(fault)
})
