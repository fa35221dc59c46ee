import { cents, dollarsFromCents } from '@pool/contract/money'
import { timestampFromDate } from '@pool/contract/timestamp'
import {
  actionsFor,
  type listTransactions as endpoint,
  type Transaction,
} from '@pool/contract/transactions'
import { type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import type { Schema } from '../db/schema.ts'
import { exceededLimit, type LimitUse } from '../ledger/approvalLimits.ts'
import { readLimitUse } from '../limits/limits.ts'
import { given, isOneOf, list, type SortKey } from '../lists/list.ts'
import { isId, ownedSearch } from '../lists/search.ts'
import {
  firstNamedAt,
  payeeOf,
  payoutAddressInUse,
  type SavedColumns,
  savedColumns,
} from './destination.ts'

type Request = z.infer<typeof endpoint.query>

const sorts: Readonly<Record<Request['sort'], SortKey>> = {
  createdAt: { by: sql`transactions.created_at`, type: 'timestamptz' },
  updatedAt: { by: sql`transactions.updated_at`, type: 'timestamptz' },
  amount: { by: sql`transactions.amount`, type: 'bigint' },
}

/** Lists one user's transactions, or everybody's for a member of staff who may decide. */
export const listTransactions = async (
  { config, db }: Pick<Context, 'config' | 'db'>,
  {
    userId,
    approverId,
    request,
  }: { userId?: string | undefined; approverId?: string | undefined; request: Request },
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
    request,
    table: 'transactions',
    sorts,
    matching: db
      .selectFrom('transactions')
      .where(given(userId, (id) => sql`transactions.user_id = ${id}`))
      .where(given(request.status, (status) => isOneOf('transactions.status', status)))
      .where(given(request.type, (type) => isOneOf('transactions.type', type)))
      .where(found),
    // One user's rows, or a search's, are few enough to count.
    tally:
      userId === undefined && request.search === undefined
        ? { noun: 'transactions', kinds: request.type, statuses: request.status }
        : undefined,
    present: withNames,
    onTheWire: (row) => onTheWire(row, { mode: config.poolMode, limits }),
  })
}

/** Adds to transactions the names of their owners and wallets. */
export const withNames = (transactions: SelectQueryBuilder<Schema, 'transactions', object>) =>
  transactions
    .innerJoin('users', 'users.id', 'transactions.user_id')
    .leftJoin('wallets', 'wallets.id', 'transactions.wallet_id')
    .leftJoinLateral(payoutAddressInUse, (join) => join.onTrue())
    .selectAll('transactions')
    .select([
      'users.username',
      'wallets.address',
      'wallets.network_name',
      ...savedColumns,
      firstNamedAt,
      approvals.as('approvals'),
    ])

type Approval = { readonly username: string; readonly at: string }

// Only a few rows have approvals. Those of a pending withdrawal count while their approvers may
// still approve, as in ledger/facts.ts.
const approvals = sql<Approval[] | null>`CASE WHEN transactions.approvals_needed > 1 THEN (
  SELECT jsonb_agg(jsonb_build_object('username', u.username, 'at', a.created_at) ORDER BY a.created_at, u.username)
  FROM approvals AS a JOIN users AS u ON u.id = a.approved_by WHERE a.transaction_id = transactions.id
    AND (transactions.status <> 'PENDING' OR u.suspended_at IS NULL AND EXISTS (
      SELECT FROM user_roles AS r WHERE r.user_id = u.id AND r.role IN ('ADMIN', 'SUPER_ADMIN')))) END`

// A wallet's deposits are found through its owner, who has all of them.
const others = (search: string) => sql`
  SELECT id FROM transactions WHERE type = 'withdrawal' AND lower(destination_address) = lower(${search})
  UNION SELECT t.id FROM wallets AS w JOIN transactions AS t ON t.user_id = w.owner_id AND t.wallet_id = w.id WHERE lower(w.address) = lower(${search})
  UNION SELECT id FROM transactions WHERE ${isId('id', search)}`

type Row = Selectable<Schema['transactions']> &
  SavedColumns & {
    readonly username: string
    readonly address: string | null
    readonly network_name: string | null
    readonly first_named_at: Date | null
    readonly approvals: readonly Approval[] | null
  }

/** Approvals and limits are for staff only: `limits` are those of the reading member of staff. */
export const onTheWire = (
  row: Row,
  { mode, limits }: { mode: Config['poolMode']; limits: LimitUse | undefined },
): Transaction => ({
  id: row.id,
  transactionId: row.id,
  userId: row.user_id,
  username: row.username,
  userEmail: row.username,
  type: row.type,
  amount: dollarsFromCents(cents(row.amount)),
  status: row.status,
  description: row.description,
  walletAddress: row.address ?? '',
  networkName: row.network_name ?? row.destination_network,
  destinationAddress: row.destination_address,
  payee: payeeOf(row, mode),
  reason: row.reason,
  evidence: row.evidence ?? '',
  ...approvalsFor(row, limits),
  ...(limits &&
    row.approvals && {
      approvals: row.approvals.map(({ username, at }) => ({
        username,
        at: timestampFromDate(new Date(at)),
      })),
    }),
  createdAt: timestampFromDate(row.created_at),
  updatedAt: timestampFromDate(row.updated_at),
})

/** The approvals that a decision needed, or would need if the reader took it now. */
const approvalsFor = (
  { user_id, amount, ...row }: Row,
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
