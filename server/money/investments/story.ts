import { refusal } from '@pool/contract/base/refusals'
import { timestampFromDate } from '@pool/contract/base/timestamp'
import {
  actorFor,
  type Event,
  type InvestmentStory,
  type Reader,
} from '@pool/contract/requests/stories'
import type { Kysely } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { isArchived } from '../../ledger/archive/months.ts'
import { transfersOf } from '../../ledger/sums/transfers.ts'
import { forOwner, withName } from './queries.ts'

/** The story of an investment. Throws `investmentNotFound`, also for other people's. */
export const readInvestmentStory = async (
  db: Kysely<Schema>,
  id: string,
  reader: Reader,
): Promise<InvestmentStory> => {
  const row = await withName(db.selectFrom('investments').where('investments.id', '=', id))
    .leftJoin('transactions as payout', (join) =>
      join.onRef('payout.investment_id', '=', 'investments.id').on('payout.type', '=', 'payout'),
    )
    .select('payout.id as payoutTransactionId')
    .executeTakeFirst()
  if (!row || !(reader.isStaff || row.user_id === reader.userId))
    throw refusal('investmentNotFound')

  const opened: Event = {
    at: timestampFromDate(row.created_at),
    what: 'opened',
    by: actorFor(reader, 'owner', { id: row.user_id, username: row.username }),
  }
  const matured: Event = {
    at: timestampFromDate(row.updated_at),
    what: 'matured',
    by: { kind: 'system' },
  }
  return {
    investment: forOwner(row),
    rateBasisPoints: row.rate_basis_points,
    openingTransactionId: row.id,
    payoutTransactionId: row.payoutTransactionId,
    events: row.status === 'COMPLETED' ? [opened, matured] : [opened],
    transfers: await transfersOf(db, row.id),
    transfersArchived: await isArchived(db, row.id),
  }
}
