import { assetsOf, type Coin } from '@pool/contract/base/assets'
import { networks } from '@pool/contract/base/networks'
import type { DepositTerms, Network } from '@pool/contract/chain/wallets'
import { type Kysely, sql } from 'kysely'
import { cachedFor } from '../../base/db/cachedFor.ts'
import type { Schema } from '../../base/db/schema.ts'
import { tallied } from '../../base/lists/tallies.ts'

/** The fewest confirmed deposits that make a median worth saying. */
export const ENOUGH = 20
const DAYS = 30
/** The most deposits that are read, the newest first. */
const MOST = 1_000
const CACHE_SECONDS = 600

/** The median time to a confirmation, of deposits of the last 30 days; null for too few. */
const usualMinutes = async (db: Kysely<Schema>): Promise<number | null> => {
  const { rows } = await sql<{ minutes: number | null; confirmed: bigint }>`
    SELECT count(*) AS confirmed, percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM updated_at - created_at) / 60)::double precision AS minutes
    FROM (
      SELECT created_at, updated_at FROM transactions
      WHERE type = 'deposit' AND status = 'APPROVED' AND NOT unannounced AND created_at > now() - make_interval(days => ${sql.lit(DAYS)})
      ORDER BY created_at DESC LIMIT ${sql.lit(MOST)}
    ) AS recent`.execute(db)
  const { minutes = null, confirmed = 0n } = rows[0] ?? {}
  return minutes === null || confirmed < ENOUGH ? null : Math.max(1, Math.round(minutes))
}

/** A network as the wire has it. */
export const wireNetwork = ({ name, symbol, displayName }: Network): Network => ({
  name,
  symbol,
  displayName,
})

/** Above every fee that a node tells: a network without a fresh estimate comes after those. */
const UNKNOWN_FEE = Number.MAX_SAFE_INTEGER

/**
 * The networks of an investor's wallets, and those with available ones. The default comes first
 * (docs/product.md 3.7).
 */
const depositNetworks = async (
  db: Kysely<Schema>,
  userId: string,
  quoted: readonly Coin[],
): Promise<DepositTerms['networks']> => {
  const stock = networks.map(
    ({ name }) =>
      sql`(${name}::text, ${tallied('rows', { noun: 'wallets', kinds: [name], statuses: ['available'] })})`,
  )
  const { rows } = await sql<{
    own: string[]
    oldest: string | null
    stocked: string[]
    fees: Record<string, number>
  }>`
    SELECT ARRAY(SELECT network_name FROM wallets WHERE owner_id = ${userId} AND archived_at IS NULL ORDER BY used_at DESC NULLS LAST, created_at, id) AS own,
      (SELECT network_name FROM wallets WHERE owner_id IS NULL AND proposal_id IS NULL ORDER BY created_at, id LIMIT 1) AS oldest,
      ARRAY(SELECT name FROM (VALUES ${sql.join(stock)}) AS stock (name, available) WHERE available > 0) AS stocked,
      (SELECT coalesce(jsonb_object_agg(network_name, cents), '{}') FROM fee_estimates WHERE at > now() - interval '1 hour') AS fees`.execute(
    db,
  )
  const { own = [], oldest = null, stocked = [], fees = {} } = rows[0] ?? {}
  const isQuoted = (name: string) => assetsOf(name).some(({ coin }) => quoted.includes(coin))
  const placeOf = (name: string): readonly number[] => [
    Number(name !== own[0]),
    ...(own.length > 0 ? [] : [Number(!isQuoted(name)), fees[name] ?? UNKNOWN_FEE]),
    Number(name !== oldest),
  ]
  return networks
    .filter(({ name }) => own.includes(name) || stocked.includes(name))
    .toSorted((a, b) => firstDifference(placeOf(a.name), placeOf(b.name)))
    .map(wireNetwork)
}

const firstDifference = (a: readonly number[], b: readonly number[]): number =>
  a.map((place, index) => place - (b[index] ?? 0)).find((difference) => difference !== 0) ?? 0

/** Makes the reader of deposit terms. All investors share the usual time for ten minutes. */
export const depositTermsOf = (db: Kysely<Schema>) => {
  const usual = cachedFor(CACHE_SECONDS, () => usualMinutes(db))
  return async (userId: string, quoted: Coin[]): Promise<DepositTerms> => ({
    networks: await depositNetworks(db, userId, quoted),
    usualMinutes: await usual(),
    quoted,
  })
}
