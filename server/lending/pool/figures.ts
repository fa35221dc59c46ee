/** The public figures, counted in one snapshot and kept in one row (docs/decisions/061). */
import { timestampFromDate } from '@pool/contract/base/timestamp'
import { type PoolBook, poolBookSchema } from '@pool/contract/lending/poolBook'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { WithConfig } from '../../http/context.ts'
import { poolBalance, readSums } from '../../ledger/families/accounts.ts'
import type { OnRecord } from '../../records/audit/record.ts'
import { readBook } from './book.ts'
import { readLiquidity, readMonth, readPayouts, readTrust } from './flows.ts'
import { readVintages, readYears } from './history.ts'
import { readInterest, readLosses } from './interest.ts'
import { rounded } from './rounded.ts'
import { dollars, shareOf } from './shares.ts'

/** Rows of another form are counted again. Goes up with each change of `poolBookSchema`. */
const FORM = 6
/** A count rests for so many times what it took, so it never takes a core for itself. */
const RESTS = 20
/** Seconds after which figures are counted without news: what waits gets older. */
const OLDEST = 900
/** The longest count, in milliseconds. A row that says more was not written by the product. */
const LONGEST = 300_000

type Counting = OnRecord & WithConfig

/** The signed text of kept figures, which the database writes in an order of its own. */
export const textOfFigures = ({
  at,
  form,
  figures,
}: {
  readonly at: Date
  readonly form: number
  readonly figures: string
}): string => `${at.toISOString()} ${form} ${figures}`

/**
 * Changes with what is counted. Each act of staff has an audit entry; tallies have the requests and
 * investments of users.
 */
const readMark = async (db: Kysely<Schema>): Promise<string> => {
  const { rows } = await sql<{ mark: string }>`
    SELECT concat_ws(' ', (now() AT TIME ZONE 'UTC')::date, (SELECT max(id) FROM audit_entries),
      (SELECT max(at) FROM reconciliations), (SELECT max(starts_at) FROM plans WHERE starts_at <= now()),
      (SELECT md5(string_agg(concat_ws(' ', noun, kind, status, rows, cents), ',' ORDER BY noun, kind, status)) FROM (
        SELECT noun, kind, status, sum(rows) AS rows, sum(cents) AS cents FROM tallies
        WHERE day = '-infinity' AND noun IN ('transactions', 'investments') GROUP BY 1, 2, 3) AS sums)) AS mark`.execute(
    db,
  )
  const balances = [
    await poolBalance(db, 'reserve'),
    await poolBalance(db, 'committed'),
    await poolBalance(db, 'deployed'),
  ]
  return [rows[0]?.mark, ...balances].join(' ')
}

const count = async (db: Kysely<Schema>, tolerance: bigint): Promise<Omit<PoolBook, 'at'>> => {
  const sums = await readSums(db)
  const { expected, ...book } = await readBook(db, tolerance)
  const { reserve, committed, deployed, sending, lent, loss } = sums
  return {
    ...book,
    years: await readYears(db),
    vintages: await readVintages(db),
    month: await readMonth(db),
    interest: await readInterest(db, reserve),
    losses: await readLosses(db),
    reserve: {
      balance: dollars(reserve + committed),
      committed: dollars(committed),
      free: dollars(reserve),
      deployed: dollars(deployed + sending),
      lent: dollars(lent),
      openLoss: dollars(loss),
      expectedLoss: dollars(expected.loss),
      interestCoverage: shareOf(reserve, expected.loss),
      capitalCoverage: shareOf(reserve + expected.interest, expected.loss),
    },
    liquidity: await readLiquidity(db, sums),
    payouts: await readPayouts(db),
    trust: await readTrust(db),
  }
}

/** Counts the figures in one snapshot and keeps them in place of older ones. */
export const countFigures = async ({ db, config, keys }: Counting): Promise<void> => {
  const began = performance.now()
  const counted = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (snapshot) => {
      await sql`SET LOCAL statement_timeout = ${sql.lit(LONGEST)}`.execute(snapshot)
      const mark = await readMark(snapshot)
      const exact = await count(snapshot, config.loanTolerance)
      const figures = config.poolMode === 'live' ? rounded(exact) : exact
      const { rows } = await sql<{ at: Date }>`SELECT now() AS at`.execute(snapshot)
      const at = rows[0]?.at ?? new Date()
      return { mark, at, figures: { at: timestampFromDate(at), ...figures } }
    })
  const took = Math.ceil(performance.now() - began)
  const { rows } = await sql<{ figures: string }>`
    SELECT ${JSON.stringify(counted.figures)}::jsonb::text AS figures`.execute(db)
  const figures = rows[0]?.figures ?? ''
  const mac = keys.sign('pool figures', textOfFigures({ at: counted.at, form: FORM, figures }))
  await sql`
    INSERT INTO pool_figures (at, took_ms, mark, form, figures, mac)
    VALUES (${counted.at}, ${took}, ${counted.mark}, ${FORM}, ${figures}::jsonb, ${mac})
    ON CONFLICT (single) DO UPDATE SET at = excluded.at, took_ms = excluded.took_ms, mark = excluded.mark, form = excluded.form,
      figures = excluded.figures, mac = excluded.mac
    WHERE pool_figures.at < excluded.at OR pool_figures.at > now() + interval '1 minute' OR pool_figures.form <> excluded.form`.execute(
    db,
  )
}

type KeptFigures = {
  readonly form: number
  readonly mark: string
  readonly rests: boolean
  readonly isOld: boolean
  readonly isThisHour: boolean
}

/**
 * Counts again where something changed or the figures are old, after a rest of twenty times what it
 * took. Live mode counts once an hour, so that no single deposit shows. True where it counted.
 */
export const refreshFigures = async (context: Counting): Promise<boolean> => {
  const { rows } = await sql<KeptFigures>`
    SELECT form, mark, at <= now() AND now() < at + least(took_ms, ${sql.lit(LONGEST)}) * ${sql.lit(RESTS)} * interval '1 millisecond' AS rests,
      now() NOT BETWEEN at AND at + ${sql.lit(OLDEST)} * interval '1 second' AS "isOld",
      at BETWEEN date_trunc('hour', now()) AND now() AS "isThisHour"
    FROM pool_figures`.execute(context.db)
  const [known] = rows
  if (known?.form === FORM) {
    if (known.rests || (known.isThisHour && context.config.poolMode === 'live')) return false
    if (!known.isOld && known.mark === (await readMark(context.db))) return false
  }
  await countFigures(context)
  return true
}

/** The newest figures. Null before the first count, and of another release's form. */
export const readPoolBook = async (db: Kysely<Schema>): Promise<PoolBook | null> => {
  const row = await db
    .selectFrom('pool_figures')
    .select('figures')
    .where('form', '=', FORM)
    .executeTakeFirst()
  return row ? poolBookSchema.parse(row.figures) : null
}
