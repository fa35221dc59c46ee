import { type Cents, cents } from '@pool/contract/base/money'
import { DEFAULT_DESTINATION } from '@pool/contract/requests/requests'
import {
  type Transaction,
  type TransactionFlag,
  transactionFlags,
  typesWith,
} from '@pool/contract/requests/transactions'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { LINK_MINUTES } from '../../accounts/links/links.ts'
import type { Schema } from '../../base/db/schema.ts'
import { firstNamed } from '../../money/payoutAddresses/firstNamed.ts'

/** The facts of a pending request that flags rest on. */
export type RequestFacts = {
  readonly type: Transaction['type']
  readonly amount: Cents
  /** The owner has frozen the account. */
  readonly isFrozen: boolean
  /** The owner took the account back since the request, or within days after naming its address. */
  readonly isTakenBack: boolean
  readonly isSuspended: boolean
  /** The owner owes the pool for a deposit that was taken back. */
  readonly owes: boolean
  /** The address to pay is a deposit wallet of the pool. */
  readonly paysPoolWallet: boolean
  /** Another account withdrew to the address to pay, or saved it. */
  readonly paysSharedAddress: boolean
  /** The product opened it, since its coins came without a request. */
  readonly isUnannounced: boolean
  /** The payout address that would be paid was saved after the request. */
  readonly isAddressNewer: boolean
  /** The investor's largest approved request of this type. */
  readonly largestApproved: Cents | null
  readonly hasWithdrawn: boolean
  /** The investor's requests in the 24 hours up to this one, and this one. */
  readonly requestsOfDay: number
}

/** The least amount that can be unusual: $1,000.00. */
const UNUSUAL_FROM = cents(100_000n)
/** An unusual amount is above this many times the largest approved one. */
const UNUSUAL_TIMES = 5n
/** The most requests of 24 hours that are usual. */
const USUAL_REQUESTS = 5

/** Days after its first naming in which an address may be a thief's, as long as a freeze link. */
const ADDRESS_DAYS = LINK_MINUTES.FREEZE / (24 * 60)

/** Each flag with the facts that raise it (docs/product.md 5.17). */
export const flagRules: Readonly<Record<TransactionFlag, (facts: RequestFacts) => boolean>> = {
  ownerFrozen: ({ type, isFrozen }) => type === 'withdrawal' && isFrozen,
  ownerSuspended: ({ type, isSuspended }) => type === 'withdrawal' && isSuspended,
  ownerOwes: ({ type, owes }) => type === 'withdrawal' && owes,
  takenBack: ({ type, isTakenBack }) => type === 'withdrawal' && isTakenBack,
  poolWallet: ({ paysPoolWallet }) => paysPoolWallet,
  addressChanged: ({ isAddressNewer }) => isAddressNewer,
  sharedAddress: ({ paysSharedAddress }) => paysSharedAddress,
  unannounced: ({ isUnannounced }) => isUnannounced,
  unusualAmount: ({ amount, largestApproved }) =>
    largestApproved !== null && amount >= UNUSUAL_FROM && amount > largestApproved * UNUSUAL_TIMES,
  unusualPace: ({ requestsOfDay }) => requestsOfDay > USUAL_REQUESTS,
  firstWithdrawal: ({ type, hasWithdrawn }) => type === 'withdrawal' && !hasWithdrawn,
}

export const flagsOf = (facts: RequestFacts): TransactionFlag[] =>
  transactionFlags.filter((flag) => flagRules[flag](facts))

const requestTypes: readonly string[] = typesWith({ decidedBy: 'staff' })

/** Adds their flags to the pending requests of a page, for staff. Reads all facts in one query. */
export const withFlags = async (
  db: Kysely<Schema>,
  page: readonly Transaction[],
): Promise<Transaction[]> => {
  const pending = page.filter(
    ({ type, status }) => status === 'PENDING' && requestTypes.includes(type),
  )
  if (pending.length === 0) return [...page]
  const facts = new Map((await readFacts(db, pending)).map(({ id, ...rest }) => [id, rest]))
  return page.map((transaction) => {
    const known = facts.get(transaction.id)
    return known ? { ...transaction, flags: flagsOf(known) } : transaction
  })
}

/** True when a query finds a row. A scalar query is never planned as a scan of its table. */
const finds = (query: RawBuilder<unknown>) => sql<boolean>`coalesce((${query} LIMIT 1), false)`

const approved = sql`status IN ('APPROVED', 'PROCESSING', 'COMPLETED')`

/** An investor's requests, from the index `transactions_requests`. */
const requests = sql`transactions WHERE user_id = t.user_id AND type IN ('deposit', 'withdrawal')`

const readFacts = async (
  db: Kysely<Schema>,
  pending: readonly Transaction[],
): Promise<(RequestFacts & { readonly id: string })[]> => {
  const payees = pending.map(({ payee }) => payee?.address ?? '')
  const { rows } = await sql<
    Omit<RequestFacts, 'amount' | 'largestApproved'> & {
      readonly id: string
      readonly amount: bigint
      readonly largestApproved: bigint | null
    }
  >`SELECT t.id, t.type, t.amount, t.unannounced AS "isUnannounced",
      ${finds(sql`SELECT frozen_at IS NOT NULL FROM users WHERE id = t.user_id`)} AS "isFrozen",
      ${finds(sql`SELECT t.created_at < u.taken_back_at
        OR asked.payee <> '' AND ${firstNamed(sql`t.user_id`, sql`asked.payee`)} BETWEEN u.taken_back_at - make_interval(days => ${ADDRESS_DAYS}) AND u.taken_back_at
        FROM users AS u WHERE u.id = t.user_id AND u.taken_back_at IS NOT NULL`)} AS "isTakenBack",
      ${finds(sql`SELECT suspended_at IS NOT NULL FROM users WHERE id = t.user_id`)} AS "isSuspended",
      ${finds(sql`SELECT true FROM claims WHERE user_id = t.user_id AND open > 0`)} AS owes,
      ${finds(sql`SELECT true FROM wallets WHERE lower(address) = lower(asked.payee)`)} AS "paysPoolWallet",
      asked.payee <> '' AND (
        ${finds(sql`SELECT true FROM transactions AS other WHERE other.type = 'withdrawal'
          AND lower(other.destination_address) = lower(asked.payee) AND other.user_id <> t.user_id`)}
        OR ${finds(sql`SELECT true FROM payout_addresses AS other
          WHERE lower(other.address) = lower(asked.payee) AND other.user_id <> t.user_id`)}) AS "paysSharedAddress",
      t.destination_address = ${DEFAULT_DESTINATION}
        AND ${finds(sql`SELECT true FROM payout_addresses WHERE user_id = t.user_id AND created_at > t.created_at`)} AS "isAddressNewer",
      (SELECT max(amount) FROM ${requests} AND type = t.type AND ${approved}) AS "largestApproved",
      ${finds(sql`SELECT true FROM ${requests} AND type = 'withdrawal' AND ${approved}`)} AS "hasWithdrawn",
      (SELECT count(*)::integer FROM ${requests} AND NOT unannounced AND created_at <= t.created_at
        AND created_at > t.created_at - interval '24 hours') AS "requestsOfDay"
    FROM unnest(${pending.map(({ id }) => id)}::uuid[], ${payees}::text[]) AS asked (id, payee)
    JOIN transactions AS t ON t.id = asked.id`.execute(db)
  return rows.map(({ amount, largestApproved, ...facts }) => ({
    ...facts,
    amount: cents(amount),
    largestApproved: largestApproved === null ? null : cents(largestApproved),
  }))
}
