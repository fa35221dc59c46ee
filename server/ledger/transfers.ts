import type { AccountKind, MovementName, Transfer } from '@pool/contract/ledger'
import { cents, dollarsFromCents } from '@pool/contract/money'
import { timestampFromDate } from '@pool/contract/timestamp'
import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'

/**
 * The transfers that a transaction or an investment caused, in the order in which they were posted;
 * only of `movement` when it is given.
 */
export const transfersOf = async (
  db: Kysely<Schema>,
  referenceId: string,
  movement?: MovementName,
): Promise<Transfer[]> => {
  const rows = await db
    .selectFrom('transfers')
    .innerJoin('accounts as source', 'source.id', 'transfers.from_account_id')
    .innerJoin('accounts as target', 'target.id', 'transfers.to_account_id')
    .select(['movement', 'source.kind as from', 'target.kind as to', 'amount', 'created_at'])
    .where('reference_id', '=', referenceId)
    .$if(movement !== undefined, (query) => query.where('movement', '=', movement ?? ''))
    .orderBy('transfers.id')
    .execute()
  // Which names there are is said by `post_operations` and a CHECK; the answer's schema says it
  // again.
  return rows.map((row) => ({
    movement: row.movement as MovementName,
    from: row.from as AccountKind,
    to: row.to as AccountKind,
    amount: dollarsFromCents(cents(row.amount)),
    at: timestampFromDate(row.created_at),
  }))
}
