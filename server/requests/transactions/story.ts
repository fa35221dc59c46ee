import { cents, dollarsFromCents } from '@pool/contract/base/money'
import { refusal } from '@pool/contract/base/refusals'
import { timestampFromDate } from '@pool/contract/base/timestamp'
import type { MovementName } from '@pool/contract/money/ledger'
import {
  type Actor,
  actorFor,
  type Event,
  type Reader,
  type StoryEvent,
  type TransactionStory,
} from '@pool/contract/requests/stories'
import type { TransactionStatus, TransactionType } from '@pool/contract/requests/transactions'
import type { Kysely, Selectable } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { readCoinPayout } from '../../coins/payouts/queries.ts'
import type { WithConfig, WithDb } from '../../http/context.ts'
import { isArchived } from '../../ledger/archive/months.ts'
import { transfersOf } from '../../ledger/sums/transfers.ts'
import { readLimitUse } from '../../money/brakes/limits.ts'
import { withFlags } from './flags.ts'
import { countAhead } from './order.ts'
import { readPayments } from './payments.ts'
import { onTheWire, withNames } from './queries.ts'
import { readQuote } from './quotes.ts'

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
  reversal: { what: 'collected', by: 'system' },
  loss: { what: 'borne', by: 'system' },
  recovery: { what: 'recovered', by: 'system' },
}

const ARRIVED: Beginning = { what: 'arrived', by: 'system' }

const endings: Readonly<Record<TransactionType, Partial<Record<TransactionStatus, StoryEvent>>>> = {
  deposit: {
    APPROVED: 'confirmed',
    REVERSED: 'confirmed',
    REJECTED: 'rejected',
    EXPIRED: 'expired',
  },
  withdrawal: {
    APPROVED: 'approved',
    PROCESSING: 'approved',
    COMPLETED: 'approved',
    RETURNED: 'approved',
    REJECTED: 'rejected',
  },
  investment: {},
  payout: {},
  reversal: {},
  loss: {},
  recovery: {},
}

/** The story of a transaction. Throws `transactionNotFound`, also for other people's. */
export const readTransactionStory = async (
  { config, db }: WithDb & WithConfig,
  id: string,
  reader: Reader,
): Promise<TransactionStory> => {
  // Long: one story, whose events are added in the order of time.
  const row = await withNames(db.selectFrom('transactions').where('transactions.id', '=', id))
    .leftJoin('users as deciders', 'deciders.id', 'transactions.decided_by')
    .leftJoin('users as senders', 'senders.id', 'transactions.sent_by')
    .leftJoin('users as completers', 'completers.id', 'transactions.completed_by')
    .leftJoin('proposals as returns', 'returns.id', 'transactions.return_id')
    .leftJoin('users as returners', 'returners.id', 'returns.decided_by')
    .leftJoin('claims', 'claims.deposit_id', 'transactions.id')
    .select([
      'deciders.username as decider',
      'senders.username as sender',
      'completers.username as completer',
      'returns.decided_by as returned_by',
      'returners.username as returner',
      'claims.created_at as reversed_at',
    ])
    .executeTakeFirst()
  if (!row || !(reader.isStaff || row.user_id === reader.userId))
    throw refusal('transactionNotFound')

  const { what, by, movement } = row.unannounced ? ARRIVED : beginnings[row.type]
  const owner: Actor = actorFor(reader, 'owner', { id: row.user_id, username: row.username })
  const staff = (id: string | null, username: string | null): Actor =>
    id === null ? { kind: 'system' } : actorFor(reader, 'staff', { id, username: username ?? '' })
  const differs = row.requested_amount !== null
  const events: Event[] = [
    {
      at: timestampFromDate(row.created_at),
      what,
      by: by === 'owner' ? owner : { kind: 'system' },
      ...amountIf(differs, row.requested_amount),
    },
  ]
  events.push(...(await firstApprovals(db, row, reader)))
  const end = endings[row.type][row.status]
  if (row.ending === 'cancelled')
    events.push({ at: timestampFromDate(row.updated_at), what: 'cancelled', by: owner })
  else if (end)
    events.push({
      at: timestampFromDate(row.updated_at),
      what: end,
      by: staff(row.decided_by, row.decider),
      ...amountIf(differs, row.amount),
    })
  const marks = [
    { at: row.sent_at, what: 'sent', by: staff(row.sent_by, row.sender) },
    { at: row.completed_at, what: 'completed', by: staff(row.completed_by, row.completer) },
    { at: row.returned_at, what: 'returned', by: staff(row.returned_by, row.returner) },
    { at: row.reversed_at, what: 'reversed', by: { kind: 'system' } },
  ] as const
  for (const { at, what, by } of marks) if (at) events.push({ at: timestampFromDate(at), what, by })

  const investmentId = row.type === 'investment' ? row.id : row.investment_id
  const limits = reader.isStaff ? await readLimitUse(db, reader.userId) : undefined
  const transaction = onTheWire(row, { mode: config.poolMode, limits })
  const coinPayout =
    row.type === 'withdrawal' ? await readCoinPayout({ config, db }, row.id) : undefined
  const ahead = row.type === 'withdrawal' ? await countAhead(db, row.id) : undefined
  const [flagged = transaction] = reader.isStaff ? await withFlags(db, [transaction]) : []
  return {
    transaction: flagged,
    ...(row.type === 'deposit' && row.network_name !== null
      ? await depositParts({ config, db }, { ...row, networkName: row.network_name })
      : {}),
    ...(coinPayout && { coinPayout }),
    ...(ahead !== undefined && { ahead }),
    investmentId,
    events,
    transfers: await transfersOf(db, investmentId ?? row.id, movement),
    transfersArchived: await isArchived(db, investmentId ?? row.id),
  }
}

/** The quote of a deposit and the payments to its address, where it has them. */
const depositParts = async (
  context: WithDb & WithConfig,
  {
    id,
    status,
    created_at: createdAt,
    networkName,
  }: Pick<Selectable<Schema['transactions']>, 'id' | 'status' | 'created_at'> & {
    readonly networkName: string
  },
): Promise<Pick<TransactionStory, 'quote' | 'payments'>> => {
  const quote = await readQuote(context, { depositId: id, networkName })
  const payments = await readPayments(context, { id, status, createdAt, networkName })
  return { ...(quote && { quote }), ...(payments && { payments }) }
}

const amountIf = (isTold: boolean, amount: bigint | null): Pick<Event, 'amount'> =>
  isTold && amount !== null ? { amount: dollarsFromCents(cents(amount)) } : {}

/** The approvals before the one that moved the money. */
const firstApprovals = async (
  db: Kysely<Schema>,
  {
    id,
    decided_by,
    status,
    amount,
    requested_amount,
  }: Pick<
    Selectable<Schema['transactions']>,
    'id' | 'decided_by' | 'status' | 'amount' | 'requested_amount'
  >,
  reader: Reader,
): Promise<Event[]> => {
  const approvals = await db
    .selectFrom('approvals')
    .innerJoin('users', 'users.id', 'approvals.approved_by')
    .select(['users.id', 'users.username', 'approvals.created_at', 'approvals.amount'])
    .where('transaction_id', '=', id)
    .orderBy('approvals.created_at')
    .execute()
  return approvals
    .filter(
      (approval) => status === 'PENDING' || status === 'REJECTED' || approval.id !== decided_by,
    )
    .map((approval) => ({
      at: timestampFromDate(approval.created_at),
      what: 'firstApproval',
      by: actorFor(reader, 'staff', approval),
      // Nothing is credited yet, so only staff are told.
      ...amountIf(
        reader.isStaff && approval.amount !== (requested_amount ?? amount),
        approval.amount,
      ),
    }))
}
