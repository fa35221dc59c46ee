import type { MovementName } from '@pool/contract/ledger'
import { refusal } from '@pool/contract/refusals'
import {
  type Actor,
  actorFor,
  type Event,
  type Reader,
  type StoryEvent,
  type TransactionStory,
} from '@pool/contract/stories'
import { timestampFromDate } from '@pool/contract/timestamp'
import type { TransactionStatus, TransactionType } from '@pool/contract/transactions'
import type { Kysely, Selectable } from 'kysely'
import type { Context } from '../context.ts'
import type { Schema } from '../db/schema.ts'
import { transfersOf } from '../ledger/transfers.ts'
import { readLimitUse } from '../limits/limits.ts'
import { onTheWire, withNames } from './queries.ts'

type Beginning = {
  readonly what: StoryEvent
  readonly by: 'owner' | 'system'
  readonly movement?: MovementName
}

// An investment's two transactions are posted under its id, with a movement each.
const beginnings: Readonly<Record<TransactionType, Beginning>> = {
  deposit: { what: 'requested', by: 'owner' },
  withdrawal: { what: 'requested', by: 'owner' },
  investment: { what: 'opened', by: 'owner', movement: 'investment_opened' },
  payout: { what: 'matured', by: 'system', movement: 'investment_matured' },
}

const endings: Readonly<Record<TransactionType, Partial<Record<TransactionStatus, StoryEvent>>>> = {
  deposit: { APPROVED: 'confirmed', EXPIRED: 'expired' },
  withdrawal: { APPROVED: 'approved', REJECTED: 'rejected' },
  investment: {},
  payout: {},
}

/** The story of a transaction. Throws `transactionNotFound`, also for other people's. */
export const tellTransaction = async (
  { config, db }: Pick<Context, 'config' | 'db'>,
  id: string,
  reader: Reader,
): Promise<TransactionStory> => {
  const row = await withNames(db.selectFrom('transactions').where('transactions.id', '=', id))
    .leftJoin('users as deciders', 'deciders.id', 'transactions.decided_by')
    .select('deciders.username as decider')
    .executeTakeFirst()
  if (!row || !(reader.isStaff || row.user_id === reader.userId))
    throw refusal('transactionNotFound')

  const { what, by, movement } = beginnings[row.type]
  const owner: Actor = actorFor(reader, 'owner', { id: row.user_id, username: row.username })
  const decider: Actor =
    row.decided_by === null
      ? { kind: 'system' }
      : actorFor(reader, 'staff', { id: row.decided_by, username: row.decider ?? '' })
  const events: Event[] = [
    {
      at: timestampFromDate(row.created_at),
      what,
      by: by === 'owner' ? owner : { kind: 'system' },
    },
  ]
  events.push(...(await firstApprovals(db, row, reader)))
  const end = endings[row.type][row.status]
  if (end) events.push({ at: timestampFromDate(row.updated_at), what: end, by: decider })

  return {
    transaction: onTheWire(row, {
      mode: config.poolMode,
      limits: reader.isStaff ? await readLimitUse(db, reader.userId) : undefined,
    }),
    investmentId: row.investment_id,
    events,
    transfers: await transfersOf(db, row.investment_id ?? row.id, movement),
  }
}

/** The approvals before the one that moved the money. */
const firstApprovals = async (
  db: Kysely<Schema>,
  {
    id,
    decided_by,
    status,
  }: Pick<Selectable<Schema['transactions']>, 'id' | 'decided_by' | 'status'>,
  reader: Reader,
): Promise<Event[]> => {
  const approvals = await db
    .selectFrom('approvals')
    .innerJoin('users', 'users.id', 'approvals.approved_by')
    .select(['users.id', 'users.username', 'approvals.created_at'])
    .where('transaction_id', '=', id)
    .orderBy('approvals.created_at')
    .execute()
  return approvals
    .filter((approval) => status !== 'APPROVED' || approval.id !== decided_by)
    .map((approval) => ({
      at: timestampFromDate(approval.created_at),
      what: 'firstApproval',
      by: actorFor(reader, 'staff', approval),
    }))
}
