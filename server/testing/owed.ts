import type { Kysely } from 'kysely'
import type { Schema } from '../base/db/schema.ts'
import { readSums } from '../ledger/families/accounts.ts'
import { readOwed } from '../ledger/sums/owed.ts'

/** Cents that are owed to all investors, added up over each: payable, invested, promised. */
export const owedSums = (db: Kysely<Schema>): Promise<readonly bigint[]> =>
  db.transaction().execute(async (snapshot) => {
    let [payable, principal, promised] = [0n, 0n, 0n]
    for await (const rows of readOwed(snapshot))
      for (const { available, held, outgoing, invested, interest } of rows) {
        payable += available + held + outgoing
        principal += invested
        promised += interest
      }
    return [payable, principal, promised]
  })

/** The same cents, as the accounts of the books have them. */
export const bookedSums = async (db: Kysely<Schema>): Promise<readonly bigint[]> => {
  const { theirs, invested, committed } = await readSums(db)
  return [theirs, invested, committed]
}
