/** Posts coin movements of what the nodes confirmed, and takes them back (docs/product.md 5.24). */
import { type NetworkName, networks } from '@pool/contract/base/networks'
import { type Kysely, sql } from 'kysely'
import { chainOf } from '../../base/chains/networks.ts'
import { newId } from '../../base/db/ids.ts'
import type { Schema } from '../../base/db/schema.ts'
import { takeLock } from '../../base/locks.ts'
import { type Pricing, ratesAt } from '../../chain/rates/ratesAt.ts'
import type { CoinMovement, PaidCoins, Spending, TransactionFacts } from './coinMovements.ts'
import { movementsOf } from './coinMovements.ts'
import { centsOf } from './worth.ts'

type Db = Kysely<Schema>

/** Transactions on chains that are looked at in one transaction. */
const AT_ONCE = 500

/**
 * Posts what changed since the last call, on every network. Each confirmed fact has its movements
 * once, by one process alone. Returns the number of movements.
 */
export const postCoins = async (db: Db, pricing: Pricing): Promise<number> => {
  let posted = 0
  for (;;) {
    const { looked, written } = await db
      .transaction()
      .execute((transaction) => postSome(transaction, pricing))
    posted += written
    if (looked < AT_ONCE) return posted
  }
}

/** Posts at most {@link AT_ONCE} of them. The transaction keeps its lock until it ends. */
export const postSome = async (
  transaction: Db,
  pricing: Pricing,
): Promise<{ readonly looked: number; readonly written: number }> => {
  await takeLock(transaction, 'coinMovements')
  // A fact that changes after this query is queued again, and posted by the next call.
  const { rows: due } = await sql<{ network: string; transaction: string }>`
    DELETE FROM coin_facts_due WHERE id IN (SELECT id FROM coin_facts_due ORDER BY id LIMIT ${AT_ONCE})
    RETURNING network_name AS network, transaction_id AS transaction`.execute(transaction)
  const unseen = await postUnseen(transaction)
  if (due.length === 0) return { looked: 0, written: unseen }
  const keys = [...new Map(due.map((key) => [nameOf(key), key])).values()]
  const facts = await readFacts(transaction, keys)
  const posted = await readPosted(transaction, keys)
  const rows: NewRow[] = []
  for (const key of keys) {
    const wanted = movementsOf(facts.get(nameOf(key)) ?? { payments: [], spending: undefined })
    rows.push(...differenceOf(key, wanted, posted.get(nameOf(key)) ?? []))
  }
  await write(transaction, pricing, rows)
  return { looked: due.length, written: rows.length + unseen }
}

type Key = { readonly network: string; readonly transaction: string }
const nameOf = ({ network, transaction }: Key): string => `${network} ${transaction}`

const keysAs = (keys: readonly Key[]) => sql`
  unnest(${keys.map(({ network }) => network)}::text[], ${keys.map(({ transaction }) => transaction)}::text[])
    AS due (network_name, transaction_id)`

type FactsRow = Key & {
  readonly payments: readonly (Omit<PaidCoins, 'units'> & { readonly units: string })[] | null
  readonly spending:
    | (Omit<Spending, 'feeUnits' | 'feeIsSpent' | 'feeDecimals' | 'spent' | 'sent'> & {
        readonly state: string
        readonly feeUnits: string
        readonly spent: readonly Omit<CoinsRow, 'output' | 'explained'>[] | null
        readonly sent: readonly CoinsRow[] | null
      })
    | null
}
type CoinsRow = {
  readonly output: number
  readonly explained: string
  readonly account: PaidCoins['account'] | null
  readonly asset: string
  readonly decimals: number
  readonly units: string
}

/** True of the payout `p` of a batch `b` whose coins are owed where they went, as alarms say. */
const IS_OWED = sql`(t.id IS NULL OR t.status NOT IN ('RETURNED', 'REJECTED') AND (t.sent_by IS NULL OR t.sent_evidence = s.transaction_id))
  AND (l.id IS NULL OR l.status IN ('OPEN', 'PAID'))
  AND (p.is_open OR NOT EXISTS (SELECT FROM batch_payouts AS q
    WHERE q.is_open AND q.transaction_id IS NOT NULL AND (q.withdrawal_id = p.withdrawal_id OR q.sending_id = p.sending_id)))`

const PAYOUTS = sql`batch_payouts AS p JOIN batches AS b ON b.id = p.batch_id
  LEFT JOIN transactions AS t ON t.id = p.withdrawal_id LEFT JOIN loan_sendings AS l ON l.id = p.sending_id`

/** True for the output `c` of `s` that pays the payout `p`. */
const IS_ITS_OUTPUT = sql`b.network_name = s.network_name AND p.transaction_id = s.transaction_id AND p.output = c.output AND b.asset = c.asset`

/**
 * Units of an output that are owed: of a payout that it pays, of one that got other units so far,
 * or what a mark of staff explains. Any units beyond them were sent by staff or a thief.
 */
const EXPLAINED = sql`CASE
  WHEN EXISTS (SELECT FROM ${PAYOUTS} WHERE ${IS_ITS_OUTPUT} AND ${IS_OWED}) OR mark_explains(s.id, c.output) THEN c.units
  WHEN EXISTS (SELECT FROM ${PAYOUTS} WHERE ${IS_ITS_OUTPUT}) THEN 0
  ELSE least(c.units, greatest(0, (
    SELECT coalesce(sum(p.units), 0) FROM ${PAYOUTS}
    WHERE p.batch_id = s.batch_id AND b.asset = c.asset AND lower(p.address) = lower(c.address) AND p.transaction_id IS NULL AND ${IS_OWED}
  ) - (
    -- Others that came first, each of which pays no payout by itself.
    SELECT coalesce(sum(d.units), 0) FROM sent_coins AS d JOIN spendings AS e ON e.id = d.spending_id
    WHERE e.batch_id = s.batch_id AND e.state IN ('SEEN', 'CONFIRMED') AND d.asset = c.asset AND lower(d.address) = lower(c.address)
      AND (e.id, d.output) < (s.id, c.output)
      AND NOT EXISTS (SELECT FROM batch_payouts AS q WHERE q.batch_id = s.batch_id AND q.transaction_id = e.transaction_id AND q.output = d.output)))) END`

/** The confirmed facts of transactions. While a spending waits, so do its payments. */
const readFacts = async (db: Db, keys: readonly Key[]): Promise<Map<string, TransactionFacts>> => {
  const { rows } = await sql<FactsRow>`
    SELECT due.network_name AS network, due.transaction_id AS transaction,
      (SELECT jsonb_agg(jsonb_build_object('id', p.id, 'output', p.output, 'account', coin_account(p.network_name, p.address),
          'asset', p.asset, 'decimals', p.decimals, 'units', p.units::text, 'height', p.height) ORDER BY p.output)
        FROM payments AS p WHERE p.network_name = due.network_name AND p.transaction_id = due.transaction_id
          AND (p.state = 'CONFIRMED' OR p.state = 'SEEN' AND p.height = s.height)) AS payments,
      CASE WHEN s.id IS NOT NULL THEN jsonb_build_object('id', s.id, 'state', s.state, 'height', s.height,
        'feeUnits', s.fee_units::text, 'feeAsset', s.fee_asset, 'isSettled', s.settled_at IS NOT NULL,
        'spent', (SELECT jsonb_agg(jsonb_build_object('account', coalesce(coin_account(s.network_name, c.address), 'deposit'),
            'asset', c.asset, 'decimals', c.decimals, 'units', c.units::text) ORDER BY c.position)
          FROM spent_coins AS c WHERE c.spending_id = s.id),
        'sent', (SELECT jsonb_agg(jsonb_build_object('output', c.output, 'account', coin_account(s.network_name, c.address), 'explained', (${EXPLAINED})::text,
            'asset', c.asset, 'decimals', c.decimals, 'units', c.units::text) ORDER BY c.output)
          FROM sent_coins AS c WHERE c.spending_id = s.id)) END AS spending
    FROM ${keysAs(keys)} LEFT JOIN spendings AS s USING (network_name, transaction_id)`.execute(db)
  return new Map(rows.map((row) => [nameOf(row), factsOf(row)]))
}

/** The family of a network on record. */
const familyOf = (network: string) => networks.find(({ name }) => name === network)?.family

const withUnits = <Row extends { readonly units: string }>({ units, ...row }: Row) => ({
  ...row,
  units: BigInt(units),
})

const factsOf = ({ network, payments, spending }: FactsRow): TransactionFacts => {
  const paid = (payments ?? []).map(withUnits)
  // An address may have left the wallets since.
  const ours = paid.filter(({ account }) => account !== null)
  if (spending?.state === 'SEEN') return { payments: [], spending: undefined }
  if (spending?.state !== 'CONFIRMED') return { payments: ours, spending: undefined }
  const { feeUnits, spent, sent, state: _, ...rest } = spending
  return {
    payments: ours,
    spending: {
      ...rest,
      feeUnits: BigInt(feeUnits),
      feeDecimals: chainOf(network as NetworkName).decimals,
      feeIsSpent: familyOf(network) === 'bitcoin',
      spent: (spent ?? []).flatMap((each) => {
        const { account, ...coins } = withUnits(each)
        return account === null ? [] : [{ ...coins, account }]
      }),
      sent: (sent ?? []).map((each) => ({ ...withUnits(each), explained: BigInt(each.explained) })),
    },
  }
}

/** A movement on record that none takes back. */
type Posted = Omit<CoinMovement, 'cause'> & {
  readonly cause: CoinMovement['cause']
  readonly id: string
  readonly cents: string | null
}

const readPosted = async (db: Db, keys: readonly Key[]): Promise<Map<string, Posted[]>> => {
  const { rows } = await sql<Key & Omit<Posted, 'units'> & { units: string }>`
    SELECT m.network_name AS network, m.transaction_id AS transaction, m.id, m.asset, m.decimals, m.kind,
      m.from_account AS "from", m.to_account AS "to", m.units::text, m.cause, m.cause_id AS "causeId", m.height::int, m.cents::text
    FROM ${keysAs(keys)} JOIN coin_movements AS m USING (network_name, transaction_id)
    WHERE m.takes_back IS NULL AND NOT EXISTS (SELECT FROM coin_movements AS b WHERE b.takes_back = m.id)
    ORDER BY m.cause_id, m.position`.execute(db)
  const all = Map.groupBy(rows, nameOf)
  return new Map([...all].map(([name, some]) => [name, some.map(withUnits)]))
}

const sameAs = (one: CoinMovement, other: CoinMovement): boolean =>
  (
    ['asset', 'decimals', 'units', 'kind', 'from', 'to', 'cause', 'causeId', 'height'] as const
  ).every((field) => one[field] === other[field])

type NewRow = Key &
  Omit<CoinMovement, 'cause'> & {
    readonly cause: CoinMovement['cause']
    readonly takesBack: string | null
    readonly cents: string | null
  }

/** The opposite of each movement that is not caused any more, then those that are missing. */
const differenceOf = (
  key: Key,
  wanted: readonly CoinMovement[],
  posted: readonly Posted[],
): NewRow[] => {
  const missing = [...wanted]
  const gone = posted.filter((each) => {
    const place = missing.findIndex((other) => sameAs(other, each))
    if (place >= 0) missing.splice(place, 1)
    return place < 0
  })
  return [
    ...gone.map(({ id, from, to, ...row }) => ({
      ...row,
      network: key.network,
      transaction: key.transaction,
      from: to,
      to: from,
      takesBack: id,
    })),
    ...missing.map((row) => ({ ...row, ...key, takesBack: null, cents: null })),
  ]
}

/** Writes rows, each new one with the dollars of the moment at which its cause was confirmed. */
const write = async (db: Db, pricing: Pricing, rows: readonly NewRow[]): Promise<void> => {
  if (rows.length === 0) return
  const moments = await momentsOf(db, rows)
  const rates = await ratesAt(
    db,
    pricing,
    rows.map(({ asset, causeId }) => ({ coin: asset, seconds: moments.get(causeId) ?? null })),
  )
  const values = rows.map((row, at) => {
    const rate = rates[at]?.rate?.rate
    const { units, decimals } = row
    const cents = rate === undefined ? null : String(centsOf({ units, decimals, rate }))
    return {
      id: newId(),
      ...row,
      units: String(units),
      place: at,
      cents: row.takesBack === null ? cents : row.cents,
    }
  })
  await sql`
    INSERT INTO coin_movements (id, network_name, transaction_id, asset, decimals, kind, from_account, to_account, units, cause, cause_id, position, takes_back, cents, height)
    SELECT id, network, transaction, asset, decimals, kind, "from", "to", units, cause, "causeId",
      coalesce((SELECT max(position) FROM coin_movements AS m WHERE m.cause = r.cause AND m.cause_id = r."causeId"), -1)
        + row_number() OVER (PARTITION BY cause, "causeId" ORDER BY place),
      "takesBack", cents, height
    FROM jsonb_to_recordset(${JSON.stringify(values)}::jsonb) AS r (id uuid, network text, transaction text, asset text, decimals integer,
      kind text, "from" text, "to" text, units numeric, cause text, "causeId" uuid, place integer, "takesBack" uuid, cents bigint, height bigint)
    ORDER BY place`.execute(db)
}

/** Seconds since 1970 at which the causes were confirmed. */
const momentsOf = async (db: Db, rows: readonly NewRow[]): Promise<Map<string, number>> => {
  const ids = [...new Set(rows.map(({ causeId }) => causeId))]
  const { rows: found } = await sql<{ id: string; seconds: number }>`
    SELECT id, extract(epoch FROM seen_at)::float8 AS seconds FROM payments WHERE id = ANY (${ids}::uuid[])
    UNION ALL
    SELECT id, extract(epoch FROM coalesce(confirmed_at, changed_at))::float8 FROM spendings WHERE id = ANY (${ids}::uuid[])`.execute(
    db,
  )
  return new Map(found.map(({ id, seconds }) => [id, seconds]))
}

/** Books coins that arrived and that no payment shows. */
const postUnseen = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ id: string }>`
    SELECT a.id FROM unseen_arrivals AS a
    WHERE NOT EXISTS (SELECT FROM coin_movements AS m WHERE m.cause = 'UNSEEN' AND m.cause_id = a.id)`.execute(
    db,
  )
  const ids = rows.map(({ id }) => ({ id, movement: newId() }))
  const { numAffectedRows = 0n } = await sql`
    INSERT INTO coin_movements (id, network_name, asset, decimals, kind, from_account, to_account, units, cause, cause_id, position, height)
    SELECT r.movement, a.network_name, a.asset, a.decimals, 'UNSEEN', 'unseen', coalesce(coin_account(a.network_name, a.address), 'deposit'),
      a.units, 'UNSEEN', a.id, 0, a.height
    FROM jsonb_to_recordset(${JSON.stringify(ids)}::jsonb) AS r (id uuid, movement uuid) JOIN unseen_arrivals AS a ON a.id = r.id
    ORDER BY r.movement`.execute(db)
  return Number(numAffectedRows)
}
