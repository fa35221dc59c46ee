import { cents, dollarsFromCents } from '@pool/contract/base/money'
import { timestampFromDate } from '@pool/contract/base/timestamp'
import type { AccountKind, MovementName, Transfer } from '@pool/contract/money/ledger'
import type { Kysely } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'

/** The transfers of a transaction or investment in the order of posting, all or of one movement. */
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
    .orderBy('transfers.created_at')
    .orderBy('place')
    .execute()
  // Posting writes only names of these types, and the contract checks the answer.
  return rows.map((row) => ({
    movement: row.movement as MovementName,
    from: row.from as AccountKind,
    to: row.to as AccountKind,
    amount: dollarsFromCents(cents(row.amount)),
    at: timestampFromDate(row.created_at),
  }))
}
