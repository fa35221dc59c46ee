import { type Cents, cents, dollarsFromCents } from '@pool/contract/base/money'
import { investorAccounts } from '@pool/contract/money/ledger'
import {
  type TransactionStatus,
  type TransactionType,
  transactionTypes,
  typeFacts,
} from '@pool/contract/requests/transactions'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { tallied } from '../../base/lists/tallies.ts'

/** The owner of the pool's accounts. */
export const POOL_OWNER = '00000000-0000-0000-0000-000000000000'

/** Opens an investor's accounts, empty. Runs in the transaction that creates the user. */
export const openAccounts = async (db: Kysely<Schema>, userId: string): Promise<void> => {
  await db
    .insertInto('accounts')
    .values(investorAccounts.map((kind) => ({ owner_id: userId, kind, balance: 0n })))
    .execute()
}

/** The cents that a user cannot spend now, by account. Zero for a user without accounts. */
export const lockedBalances = async (
  db: Kysely<Schema>,
  userId: string,
): Promise<Readonly<Record<'held' | 'invested', Cents>>> => {
  const accounts = await db
    .selectFrom('accounts')
    .select(['kind', 'balance'])
    .where('owner_id', '=', userId)
    .where('kind', 'in', ['held', 'invested'])
    .execute()
  const balanceIn = (kind: 'held' | 'invested') =>
    cents(accounts.find((account) => account.kind === kind)?.balance ?? 0n)
  return { held: balanceIn('held'), invested: balanceIn('invested') }
}

/** Selects a user's accounts with their cents as `dollars`. */
export const selectBalances = (userId: string): RawBuilder<Readonly<Record<string, unknown>>> =>
  sql`SELECT kind AS account, balance AS dollars FROM accounts WHERE owner_id = ${userId} ORDER BY id`

/** A user's balances in dollars. Zero for a user without accounts. */
export const balancesOf = async (db: Kysely<Schema>, userId: string) => {
  const accounts = await db
    .selectFrom('accounts')
    .select(['kind', 'balance'])
    .where('owner_id', '=', userId)
    .execute()
  const dollarsIn = (kind: (typeof investorAccounts)[number]) =>
    dollarsFromCents(cents(accounts.find((account) => account.kind === kind)?.balance ?? 0n))
  return {
    available: dollarsIn('available'),
    held: dollarsIn('held'),
    invested: dollarsIn('invested'),
  }
}

/** The statuses in which a transaction counts in its investor's spendable balance. */
const countedStatuses = ({
  direction,
  decidedBy,
}: (typeof typeFacts)[TransactionType]): readonly TransactionStatus[] => {
  if (decidedBy === 'product') return ['COMPLETED']
  // A deposit that was taken back stays, and what is collected for it counts against it.
  return direction === 'in'
    ? ['APPROVED', 'REVERSED']
    : // One that was given back does not.
      ['PENDING', 'APPROVED', 'PROCESSING', 'COMPLETED']
}

/**
 * The cents that all investors together can spend, from the tallies of their transactions. The
 * ledger's check holds tallies, transactions and transfers against each other.
 */
export const totalAvailable = async (db: Kysely<Schema>): Promise<Cents> => {
  // A loss is borne by what is invested.
  const spendable = transactionTypes.filter((type) => type !== 'loss')
  const parts = spendable.map((type) => {
    const statuses = countedStatuses(typeFacts[type])
    const part = tallied('cents', { noun: 'transactions', kinds: [type], statuses })
    return typeFacts[type].direction === 'in' ? part : sql`-${part}`
  })
  const borne = { noun: 'fees', statuses: countedStatuses(typeFacts.withdrawal) } as const
  const { rows } = await sql<{ total: bigint }>`
    SELECT ${sql.join(parts, sql` + `)} - ${tallied('cents', borne)} AS total`.execute(db)
  return cents(rows[0]?.total ?? 0n)
}

/** The cents in one of the pool's guarded accounts. */
export const poolBalance = async (
  db: Kysely<Schema>,
  kind: 'reserve' | 'committed' | 'outgoing' | 'deployed',
): Promise<Cents> => {
  const { balance } = await db
    .selectFrom('accounts')
    .select('balance')
    .where('owner_id', '=', POOL_OWNER)
    .where('kind', '=', kind)
    .executeTakeFirstOrThrow()
  return cents(balance ?? 0n)
}

type Sums = Readonly<
  Record<
    | 'reserve'
    | 'committed'
    | 'deployed'
    | 'sending'
    | 'theirs'
    | 'invested'
    | 'coins'
    | 'lent'
    | 'loss',
    bigint
  >
>

/**
 * Cents by account. Investors can be paid `theirs` at any time, `coins` are in custody, loans are
 * to get `sending`, borrowers owe `lent` of investors' principal, and `loss` is an open one.
 */
export const readSums = async (db: Kysely<Schema>): Promise<Sums> => {
  const sumOf = (...kinds: string[]) =>
    sql`coalesce(sum(balance) FILTER (WHERE kind IN (${sql.join(kinds)})), 0)::bigint`
  const { rows } = await sql<Sums>`
    SELECT ${sumOf('reserve')} AS reserve, ${sumOf('committed')} AS committed, ${sumOf('deployed')} AS deployed, ${sumOf('sending')} AS sending,
      ${sumOf('available', 'held', 'outgoing')} AS theirs, ${sumOf('invested')} AS invested,
      -${sumOf('custody')} AS coins, lent_principal() AS lent, open_loss() AS loss
    FROM accounts`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the pool has no accounts')
  return row
}
