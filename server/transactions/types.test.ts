import { accountKinds } from '@pool/contract/ledger'
import { transactionStatuses, transactionTypes, typesWith } from '@pool/contract/transactions'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../testing/database.ts'

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

test('the index of types holds those that staff decide about', async () => {
  expect(
    await definitionOf("SELECT pg_get_indexdef('transactions_by_type'::regclass) AS text"),
  ).toEqual(typesWith({ decidedBy: 'staff' }).sort())
})
