/** The order of withdrawals, by the moment of their request (docs/product.md 5.40). */
import { MOST_OLDER, type Taking } from '@pool/contract/coins/withdrawalOrder'
import { type Kysely, type SqlBool, sql } from 'kysely'
import { networksOf } from '../../base/chains/networks.ts'
import type { Config } from '../../base/configuration/config.ts'
import type { Schema } from '../../base/db/schema.ts'
import { isHeldBack, isInBatch } from '../../money/claims/batched.ts'
import { waitHours } from '../../money/payoutAddresses/firstNamed.ts'
import {
  firstNamedAt,
  networkOf,
  payeeOf,
  payoutAddressInUse,
  savedColumns,
} from './destination.ts'

/** Microseconds since 1970, as exact as the database orders by. */
const askedAt = sql<bigint>`(extract(epoch FROM transactions.created_at) * 1000000)::bigint`

const isApproved = sql<SqlBool>`transactions.status = 'APPROVED'`
/** True for an approved withdrawal that no batch pays. */
const isToSend = sql<SqlBool>`(${isApproved} AND NOT ${isInBatch(sql.ref('transactions.id'))})`

/** The accounts of one person. Read once for a query, not for each of its rows. */
const accountsOf = (id: string) => sql<string[]>`(SELECT accounts_of(${id}))::uuid[]`

type Taken = {
  readonly id: string
  readonly at: bigint
  /** Null where none is named. */
  readonly network: string | null
}

const readTaken = (db: Kysely<Schema>, ids: readonly string[]): Promise<Taken[]> =>
  db
    .selectFrom('transactions')
    .select(['transactions.id', askedAt.as('at'), networkOf.as('network')])
    .where('transactions.id', 'in', ids)
    .where('transactions.type', '=', 'withdrawal')
    .execute()

const isBefore = (one: Taken, other: Taken): boolean =>
  one.at < other.at || (one.at === other.at && one.id < other.id)

/** A withdrawal without a named network can be paid on any. */
const isOnNetworkOf = (one: Taken, other: Taken): boolean =>
  one.network === null || other.network === null || one.network === other.network

/** Withdrawals of free owners that are older than the newest one taken, up to a number. */
const olderThan = (db: Kysely<Schema>, taken: readonly Taken[]) => {
  const newest = taken.reduce((last, each) => (isBefore(last, each) ? each : last))
  const networks = taken.flatMap(({ network }) => network ?? [])
  return db
    .selectFrom('transactions')
    .select(['transactions.id', askedAt.as('at'), networkOf.as('network')])
    .where('transactions.type', '=', 'withdrawal')
    .where(
      sql<SqlBool>`(transactions.created_at, transactions.id) < (SELECT created_at, id FROM transactions WHERE id = ${newest.id})`,
    )
    .where('transactions.id', 'not in', [...taken.map(({ id }) => id)])
    .where(
      networks.length < taken.length
        ? sql<SqlBool>`true`
        : sql<SqlBool>`coalesce(${networkOf} = ANY (${networks}), true)`,
    )
    .where(sql<SqlBool>`NOT ${isHeldBack(sql.ref('transactions.user_id'))}`)
    .limit(MOST_OLDER)
}

const countOlder = (older: readonly Taken[], taken: readonly Taken[]): number =>
  older.filter((each) => taken.some((other) => isBefore(each, other) && isOnNetworkOf(each, other)))
    .length

type OrderQuestion = {
  readonly ids: readonly string[]
  /** The member of staff, who decides about no own withdrawal and approves none twice. */
  readonly by: string
}

/** Older withdrawals that this person could approve in place of these. */
const readApprovable = async (
  db: Kysely<Schema>,
  { poolMode }: Pick<Config, 'poolMode'>,
  { taken, by }: { readonly taken: readonly Taken[] } & Pick<OrderQuestion, 'by'>,
) => {
  const rows = await olderThan(db, taken)
    .leftJoinLateral(payoutAddressInUse, (join) => join.onTrue())
    .select([
      'transactions.type',
      'transactions.destination_address',
      'transactions.destination_network',
      'transactions.created_at',
      ...savedColumns,
      firstNamedAt,
    ])
    .select(sql<Date>`now() - make_interval(hours => ${waitHours(poolMode)})`.as('named_by'))
    .where('transactions.status', '=', 'PENDING')
    .orderBy('transactions.created_at')
    .orderBy('transactions.id')
    .where(sql<SqlBool>`transactions.user_id <> ALL (${accountsOf(by)})`)
    .where(
      sql<SqlBool>`NOT EXISTS (SELECT FROM approvals WHERE approvals.transaction_id = transactions.id
        AND approvals.approved_by = ANY (${accountsOf(by)}))`,
    )
    .where(
      sql<SqlBool>`NOT EXISTS (SELECT FROM wallets AS own WHERE lower(own.address) = lower(coalesce(in_use.saved_address, transactions.destination_address)))
        AND NOT EXISTS (SELECT FROM own_addresses AS own WHERE lower(own.address) = lower(coalesce(in_use.saved_address, transactions.destination_address)))`,
    )
    .execute()
  if (poolMode !== 'live') return rows
  // Live mode pays a known address on a known network, once it is old enough.
  return rows.filter((row) => {
    const { first_named_at: at, named_by } = row
    return payeeOf(row, poolMode)?.networkName && (at === null || at <= named_by)
  })
}

/** Older approved withdrawals that this person could send in place of these. */
const readSendable = async (
  db: Kysely<Schema>,
  { poolMode }: Pick<Config, 'poolMode'>,
  { taken, by }: { readonly taken: readonly Taken[] } & Pick<OrderQuestion, 'by'>,
) => {
  const rows = await olderThan(db, taken)
    .select(['transactions.payee_address'])
    .where(isToSend)
    .where(sql<SqlBool>`transactions.user_id <> ALL (${accountsOf(by)})`)
    .orderBy('transactions.created_at')
    .orderBy('transactions.id')
    .execute()
  const [only, ...others] = new Set(taken.map(({ network }) => network))
  // An address of other networks cannot be paid on this one. A note of a sandbox may be.
  return rows.filter(({ network, payee_address }) => {
    if (network !== null || !only || others.length > 0) return true
    const possible = networksOf(payee_address ?? '', poolMode)
    return possible.length === 0 || possible.some((name) => name === only)
  })
}

/**
 * The number of older withdrawals that the person could take before these, in the same way and on
 * their network. Stops at {@link MOST_OLDER}. `network` is the one they are sent on.
 */
export const countPassedOver = async (
  db: Kysely<Schema>,
  config: Pick<Config, 'poolMode'>,
  {
    taking,
    ids,
    by,
    network,
  }: OrderQuestion & { readonly taking: Taking; readonly network?: string },
): Promise<number> => {
  const named = await readTaken(db, ids)
  if (named.length === 0) return 0
  const taken = network === undefined ? named : named.map((each) => ({ ...each, network }))
  const read = taking === 'approve' ? readApprovable : readSendable
  return countOlder(await read(db, config, { taken, by }), taken)
}

/**
 * The number of older withdrawals that wait to be approved or sent on the network of a waiting one.
 * Stops at {@link MOST_OLDER}. Undefined for one that does not wait, or that a batch pays.
 */
export const countAhead = async (db: Kysely<Schema>, id: string): Promise<number | undefined> => {
  const { rows } = await sql<{ waits: boolean }>`
    SELECT status = 'PENDING' OR ${isToSend} AS waits
    FROM transactions WHERE id = ${id} AND type = 'withdrawal'`.execute(db)
  if (!rows[0]?.waits) return undefined
  const taken = await readTaken(db, [id])
  const older = await olderThan(db, taken)
    .where(sql<SqlBool>`(transactions.status = 'PENDING' OR ${isApproved})`)
    .execute()
  return countOlder(older, taken)
}
