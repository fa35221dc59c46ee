import { cents, dollarsFromCents } from '@pool/contract/base/money'
import { timestampFromDate } from '@pool/contract/base/timestamp'
import { textOfUnits } from '@pool/contract/chain/quotes'
import { rateFrom } from '@pool/contract/chain/rates'
import type { OwnAccount } from '@pool/contract/coins/custody'
import {
  type ComparisonProblem,
  RECONCILIATIONS_SIZE,
  type Reconciliation,
  type ReconciliationSummary,
} from '@pool/contract/coins/reconciliation'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { WithConfig, WithDb } from '../../http/context.ts'
import { isByBreak } from '../../money/brakes/pauses.ts'
import { centsOf } from '../custody/worth.ts'

type ReconciliationRow = Selectable<Schema['reconciliations']>

const dollars = (amount: bigint): number => dollarsFromCents(cents(amount))

const summaryOf = (row: ReconciliationRow): ReconciliationSummary => ({
  id: row.id,
  at: timestampFromDate(row.at),
  isWhole: row.is_whole,
  breaks: dollars(row.break_cents),
  isUnpriced: row.is_unpriced,
  isPausing: row.is_pausing,
})

/** Writes units as coins, with a sign. */
const textOf = (units: string, decimals: number): string => {
  const number = BigInt(units)
  return number < 0n ? `-${textOfUnits(-number, decimals)}` : textOfUnits(number, decimals)
}

/** The newest comparison as a whole, and those before it. */
export const readReconciliation = async ({ config, db }: WithDb & WithConfig) => {
  const [newest, ...earlier] = await db
    .selectFrom('reconciliations')
    .selectAll()
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(RECONCILIATIONS_SIZE + 1)
    .execute()
  return {
    hasNodes: config.chains.length > 0,
    isPaused: await isByBreak(db, 'withdrawals'),
    newest: newest ? await wholeOf(db, newest) : null,
    earlier: earlier.map(summaryOf),
  }
}

const wholeOf = async (db: Kysely<Schema>, row: ReconciliationRow): Promise<Reconciliation> => {
  const parts = <Table extends 'reconciled_networks' | 'reconciled_coins' | 'reconciled_lines'>(
    table: Table,
  ) =>
    sql<
      Selectable<Schema[Table]>
    >`SELECT * FROM ${sql.table(table)} WHERE reconciliation_id = ${row.id} ORDER BY network_name`.execute(
      db,
    )
  const { rows: networks } = await parts('reconciled_networks')
  const { rows: coins } = await parts('reconciled_coins')
  const { rows: lines } = await parts('reconciled_lines')
  const { custody_cents: custody, typed_cents: typed, coins_cents: worth } = row
  return {
    ...summaryOf(row),
    limit: dollars(row.limit_cents),
    networks: networks.map(({ network_name: network, height, addresses, problem }) => ({
      network,
      height: height === null ? null : Number(height),
      addresses,
      problem: problem as ComparisonProblem | null,
    })),
    coins: coins.map(({ network_name: network, asset, decimals, ...coin }) => {
      const rate = coin.dollars === null ? null : rateFrom(coin.dollars)
      const units = BigInt(coin.difference)
      return {
        network,
        asset,
        unexplained: textOf(coin.unexplained, decimals),
        uncovered: textOf(coin.uncovered, decimals),
        difference: textOf(coin.difference, decimals),
        accepted: textOf(coin.accepted, decimals),
        dollars: rate === null ? null : dollars(centsOf({ units, decimals, rate })),
        lines: lines
          .filter((line) => line.network_name === network && line.asset === asset)
          .map((line) => ({
            account: line.account as OwnAccount,
            chain: textOf(line.chain, decimals),
            booked: textOf(line.booked, decimals),
            pending: textOf(line.pending, decimals),
            unopened: textOf(line.unopened, decimals),
          })),
      }
    }),
    valuation: {
      custody: dollars(custody),
      typed: dollars(typed),
      coins: dollars(worth),
      difference: dollars(worth + typed - custody),
    },
  }
}

export type ReconciliationState = {
  /** Seconds since the last comparison. Null before the first. */
  readonly seconds: number | null
  /** Cents of breaks that were not accepted. */
  readonly breaks: number
  /** Networks that were not compared at the last one. */
  readonly problems: number
}

/** Reads the metrics. */
export const readReconciliationState = async (db: Kysely<Schema>): Promise<ReconciliationState> => {
  const { rows } = await sql<ReconciliationState>`
    SELECT extract(epoch FROM now() - r.at)::float8 AS seconds,
      CASE WHEN is_unpriced THEN greatest(break_cents, 1) ELSE break_cents END::float8 AS breaks,
      (SELECT count(*)::int FROM reconciled_networks AS n WHERE n.reconciliation_id = r.id AND problem <> 'UNSUPPORTED') AS problems
    FROM reconciliations AS r ORDER BY at DESC, id DESC LIMIT 1`.execute(db)
  return rows[0] ?? { seconds: null, breaks: 0, problems: 0 }
}
