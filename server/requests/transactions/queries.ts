import { cents, centsFromDollars, dollarsFromCents } from '@pool/contract/base/money'
import { timestampFromDate } from '@pool/contract/base/timestamp'
import { networkNames } from '@pool/contract/chain/wallets'
import { actionsFor } from '@pool/contract/requests/decisions'
import {
  type listTransactions as endpoint,
  type Transaction,
  type TransactionType,
  transactionTypes,
  typesWith,
} from '@pool/contract/requests/transactions'
import { type Selectable, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import type { Config } from '../../base/configuration/config.ts'
import type { LaggingReads } from '../../base/db/replica.ts'
import type { Schema } from '../../base/db/schema.ts'
import { laggingFor, type RowStates } from '../../base/lists/lagging.ts'
import { given, isOneOf, list, type SortKey } from '../../base/lists/list.ts'
import { isId, ownedSearch } from '../../base/lists/search.ts'
import type { WithConfig, WithDb } from '../../http/context.ts'
import { exceededLimit, type LimitUse } from '../../ledger/families/approvalLimits.ts'
import { evidenceText } from '../../ledger/families/decisions.ts'
import { readLimitUse } from '../../money/brakes/limits.ts'
import { withBatches } from './batched.ts'
import {
  firstNamedAt,
  networkOf,
  payeeOf,
  payoutAddressInUse,
  type SavedColumns,
  savedColumns,
} from './destination.ts'
import { withFlags } from './flags.ts'
import { ofTypes } from './ofTypes.ts'

type Request = z.infer<typeof endpoint.query>

/** The last change: a withdrawal can be sent, completed and given back after its decision. */
const lastChange = sql<Date>`greatest(transactions.updated_at, transactions.sent_at, transactions.completed_at, transactions.returned_at)`

const sorts: Readonly<Record<Request['sort'], SortKey>> = {
  createdAt: { by: sql`transactions.created_at`, type: 'timestamptz' },
  updatedAt: { by: lastChange, type: 'timestamptz' },
  amount: { by: sql`transactions.amount`, type: 'bigint' },
}

/** Lists one user's transactions, or everybody's for a member of staff who may decide. */
export const listTransactions = async (
  { config, db }: WithDb & WithConfig,
  {
    userId,
    approverId,
    request,
    lagging,
  }: {
    userId?: string | undefined
    approverId?: string | undefined
    request: Request
    lagging?: LaggingReads | undefined
  },
) => {
  const found = await ownedSearch(db, {
    table: 'transactions',
    search: request.search,
    only: userId,
    others,
  })
  const limits = approverId === undefined ? undefined : await readLimitUse(db, approverId)
  return list({
    db,
    lagging: laggingFor(lagging, request, rowsOf(request)),
    request,
    table: 'transactions',
    sorts,
    matching: rowsFor(db, { userId, request })
      .where(given(userId, (id) => sql`transactions.user_id = ${id}`))
      .where(given(request.status, (status) => isOneOf('transactions.status', status)))
      .where(given(request.type, (type) => isOneOf('transactions.type', type)))
      .where(given(request.ids, (ids) => sql`transactions.id = ANY (${ids}::uuid[])`))
      .where(found),
    unindexed: unindexedOf(request),
    // One user's rows, a search's and named ones are few enough to count.
    tally:
      userId === undefined && request.search === undefined && request.ids === undefined
        ? { noun: 'transactions', kinds: request.type, statuses: request.status }
        : undefined,
    present: withNames,
    onTheWire: (row) => onTheWire(row, { mode: config.poolMode, limits }),
    complete: limits && (async (page) => withBatches(db, await withFlags(db, page))),
  })
}

/** The table of a few rows, else its types by age, without those that never have such a status. */
const rowsFor = (
  db: WithDb['db'],
  { userId, request }: { userId: string | undefined; request: Request },
): SelectQueryBuilder<Schema, 'transactions', object> => {
  const { ids, search, status, type = transactionTypes, order } = request
  if ((userId ?? ids ?? search) !== undefined) return db.selectFrom('transactions')
  // Investments and payouts are COMPLETED from the start.
  const types = status?.includes('COMPLETED') === false ? type.filter(isRequested) : type
  return db.selectFrom(ofTypes(types, order).as('transactions')) as unknown as SelectQueryBuilder<
    Schema,
    'transactions',
    object
  >
}

const isRequested = (type: TransactionType) => typesWith({ decidedBy: 'staff' }).includes(type)

/** Statuses in which a transaction awaits staff: their decision, the sending or its end. */
const awaiting: Readonly<Record<TransactionType, readonly string[]>> = {
  deposit: ['PENDING'],
  withdrawal: ['PENDING', 'APPROVED', 'PROCESSING'],
  investment: [],
  payout: [],
  reversal: [],
  loss: [],
  recovery: [],
}

/** Tells from its filters whether a list holds rows that await staff. Ids name rows on screen. */
const rowsOf = ({ type, status, ids }: Request): RowStates => {
  const asked = Object.entries(awaiting).filter(([each]) => type?.includes(each) ?? true)
  const open = asked.flatMap(([, statuses]) => statuses)
  if (ids !== undefined || status?.some((each) => open.includes(each))) return 'open'
  return status === undefined && open.length > 0 ? 'mixed' : 'closed'
}

/** The filters by amount and network. */
const unindexedOf = ({ amountFrom, amountTo, network }: Request) => {
  const fields = { amountFrom, amountTo, network }
  const field = (Object.keys(fields) as (keyof typeof fields)[]).find(
    (name) => fields[name] !== undefined,
  )
  const where = sql<SqlBool>`${given(amountFrom, (dollars) => sql`transactions.amount >= ${centsFromDollars(dollars)}`)}
    AND ${given(amountTo, (dollars) => sql`transactions.amount <= ${centsFromDollars(dollars)}`)}
    AND ${given(network, (names) => sql`${networkOf} = ANY (${names})`)}`
  return field && { where, field }
}

/** Adds to transactions the names of their owners and wallets. */
export const withNames = (transactions: SelectQueryBuilder<Schema, 'transactions', object>) =>
  transactions
    .innerJoin('users', 'users.id', 'transactions.user_id')
    .leftJoin('wallets', 'wallets.id', 'transactions.wallet_id')
    .leftJoin('investments as paid', (join) =>
      join
        .onRef('paid.id', '=', 'transactions.investment_id')
        .on('transactions.type', '=', 'payout'),
    )
    .leftJoinLateral(payoutAddressInUse, (join) => join.onTrue())
    .selectAll('transactions')
    .select([
      'users.username',
      'wallets.address',
      'wallets.network_name',
      'paid.interest as paid_interest',
      ...savedColumns,
      firstNamedAt,
      approvals.as('approvals'),
      lastChange.as('changed_at'),
    ])

type Approval = { readonly username: string; readonly amount: string; readonly at: string }

// Only a few rows have approvals. Those of a pending withdrawal count while their approvers may
// still approve, as in ledger/facts.ts.
const approvals = sql<Approval[] | null>`CASE WHEN transactions.approvals_needed > 1 THEN (
  SELECT jsonb_agg(jsonb_build_object('username', u.username, 'amount', coalesce(a.amount, transactions.requested_amount, transactions.amount)::text, 'at', a.created_at) ORDER BY a.created_at, u.username)
  FROM approvals AS a JOIN users AS u ON u.id = a.approved_by WHERE a.transaction_id = transactions.id
    AND (transactions.status <> 'PENDING' OR u.suspended_at IS NULL AND u.frozen_at IS NULL AND EXISTS (
      SELECT FROM user_roles AS r WHERE r.user_id = u.id AND r.role IN ('ADMIN', 'SUPER_ADMIN')))) END`

// Indexes of payments begin with the network.
// A wallet's deposits are found through its owner, who has all of them.
const others = (search: string) => sql`
  SELECT id FROM transactions WHERE type = 'withdrawal' AND lower(destination_address) = lower(${search})
  UNION SELECT t.id FROM wallets AS w JOIN transactions AS t ON t.user_id = w.owner_id AND t.wallet_id = w.id WHERE lower(w.address) = lower(${search})
  UNION SELECT id FROM transactions WHERE sent_evidence IS NOT NULL AND sent_network = ANY (${networkNames}) AND sent_evidence = ANY (${evidencesOf(search)})
  UNION SELECT id FROM transactions WHERE evidence IS NOT NULL AND status IN ('PENDING', 'APPROVED')
    AND evidence_network = ANY (${networkNames}) AND evidence = ANY (${evidencesOf(search)})
  UNION SELECT id FROM transactions WHERE ${isId('id', search)}`

/** The id of a transaction on a chain as it may be stored: hexadecimal ones in small letters. */
const evidencesOf = (search: string): string[] => {
  const digits = search.toLowerCase().replace(/^0x/, '')
  return [search, digits, `0x${digits}`]
}

type TransactionRow = Selectable<Schema['transactions']> &
  SavedColumns & {
    readonly username: string
    readonly address: string | null
    readonly network_name: string | null
    readonly paid_interest: bigint | null
    readonly first_named_at: Date | null
    readonly approvals: readonly Approval[] | null
    readonly changed_at: Date
  }

/** Approvals and limits are for staff only: `limits` are those of the reading member of staff. */
export const onTheWire = (
  row: TransactionRow,
  { mode, limits }: { mode: Config['poolMode']; limits: LimitUse | undefined },
): Transaction => ({
  id: row.id,
  transactionId: row.id,
  userId: row.user_id,
  username: row.username,
  userEmail: row.username,
  type: row.type,
  amount: dollarsFromCents(cents(row.amount)),
  ...(row.requested_amount !== null && {
    requestedAmount: dollarsFromCents(cents(row.requested_amount)),
  }),
  ...(row.fee > 0n && { networkFee: dollarsFromCents(cents(row.fee)) }),
  ...(row.paid_interest !== null && { interest: dollarsFromCents(cents(row.paid_interest)) }),
  status: row.status,
  description: row.description,
  walletAddress: row.address ?? '',
  networkName: row.network_name ?? row.destination_network,
  destinationAddress: row.destination_address,
  payee: payeeOf(row, mode),
  ...(row.unannounced && { unannounced: true as const }),
  reason: row.reason,
  evidence:
    row.evidence === null ? '' : evidenceText({ id: row.evidence, output: row.evidence_output }),
  sent: sentOf(row),
  ...approvalsFor(row, limits),
  ...(limits &&
    row.approvals && {
      approvals: row.approvals.map(({ username, amount, at }) => ({
        username,
        amount: dollarsFromCents(cents(BigInt(amount))),
        at: timestampFromDate(new Date(at)),
      })),
    }),
  createdAt: timestampFromDate(row.created_at),
  updatedAt: timestampFromDate(row.changed_at),
})

const sentOf = ({ sent_at, sent_network, ...row }: TransactionRow): Transaction['sent'] =>
  sent_at === null || row.sent_evidence === null || sent_network === null
    ? undefined
    : {
        evidence: evidenceText({ id: row.sent_evidence, output: row.sent_output }),
        networkName: sent_network,
        at: timestampFromDate(sent_at),
      }

/** The approvals that a decision needed, or would need if the reader took it now. */
const approvalsFor = (
  { user_id, amount, ...row }: TransactionRow,
  limits: LimitUse | undefined,
): Pick<Transaction, 'approvalsNeeded' | 'exceeds'> => {
  const exceeds =
    limits && actionsFor(row.type, row.status).length > 0
      ? exceededLimit(limits, { investorId: user_id, amount: cents(amount) })
      : undefined
  return {
    approvalsNeeded: exceeds ? Math.max(2, row.approvals_needed) : row.approvals_needed,
    ...(exceeds && { exceeds }),
  }
}
