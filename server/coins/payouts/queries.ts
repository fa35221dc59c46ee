import { timestampFromDate } from '@pool/contract/base/timestamp'
import { textOfUnits } from '@pool/contract/chain/quotes'
import type { PaymentState } from '@pool/contract/coins/payments'
import { ALARMS_SIZE, type CoinPayout, type PayoutAlarm } from '@pool/contract/coins/payouts'
import { type Kysely, sql } from 'kysely'
import type { Config } from '../../base/configuration/config.ts'
import type { Schema } from '../../base/db/schema.ts'
import type { WithConfig, WithDb } from '../../http/context.ts'
import { SENT_TO_OTHERS, type SentToOthers, totalOf } from '../custody/settlements.ts'

type AlarmRow = Omit<
  PayoutAlarm,
  'amount' | 'sent' | 'total' | 'foundAt' | 'endedAt' | 'settledAt'
> & {
  readonly units: string | null
  readonly decimals: number | null
  readonly sent: SentToOthers
  readonly foundAt: Date
  readonly endedAt: Date | null
  readonly settledAt: Date | null
}

/** Those that wait come first, then the newest. */
export const listAlarms = async (db: Kysely<Schema>): Promise<PayoutAlarm[]> => {
  const { rows } = await sql<AlarmRow>`
    SELECT a.id, a.kind, a.network_name AS network, a.batch_id AS "batchId", p.withdrawal_id AS "withdrawalId",
      s.transaction_id AS transaction, s.state, p.address AS payee, p.units::text, b.asset, b.decimals,
      ${SENT_TO_OTHERS} AS sent,
      a.found_at AS "foundAt", a.ended_at AS "endedAt", a.settled_at AS "settledAt", u.username AS "settledBy", a.reason
    FROM payout_alarms AS a LEFT JOIN batches AS b ON b.id = a.batch_id
      LEFT JOIN batch_payouts AS p ON p.batch_id = a.batch_id AND p.position = a.position
      LEFT JOIN spendings AS s ON s.id = a.spending_id
      LEFT JOIN users AS u ON u.id = a.settled_by AND u.closed_at IS NULL
    ORDER BY a.ended_at IS NOT NULL OR a.settled_at IS NOT NULL, a.found_at DESC, a.id DESC LIMIT ${ALARMS_SIZE}`.execute(
    db,
  )
  return rows.map(({ units, decimals, sent, foundAt, endedAt, settledAt, ...row }) => ({
    ...row,
    amount: units === null ? null : textOfUnits(BigInt(units), decimals ?? 0),
    sent: sent.map(({ units, decimals, ...each }) => ({
      ...each,
      amount: textOfUnits(BigInt(units), decimals),
    })),
    total: totalOf(sent),
    foundAt: timestampFromDate(foundAt),
    endedAt: endedAt && timestampFromDate(endedAt),
    settledAt: settledAt && timestampFromDate(settledAt),
  }))
}

/** The number of alarms of each kind that wait for staff, for metrics. */
export const countAlarms = async (
  db: Kysely<Schema>,
): Promise<readonly { readonly kind: string; readonly open: number }[]> => {
  const { rows } = await sql<{ kind: string; open: number }>`
    SELECT kind, count(*)::int AS open FROM payout_alarms WHERE ended_at IS NULL AND settled_at IS NULL GROUP BY kind`.execute(
    db,
  )
  return rows
}

type PayoutRow = Omit<CoinPayout, 'amount' | 'rateAt' | 'payment'> & {
  readonly units: string
  readonly decimals: number
  readonly rateAt: Date
  readonly transaction: string | null
  readonly state: PaymentState | null
  readonly depth: number | null
  readonly seenAt: Date
  readonly confirmedAt: Date | null
}

/** The blocks after which a payout counts as arrived. Null where the final block decides. */
const neededOn = ({ chains }: Config, network: string): number | null => {
  const settings = chains.find((each) => each.network === network)
  return settings?.kind === 'bitcoin' ? settings.confirmations : null
}

/** The payment of a withdrawal in coins. Undefined while no batch has it. */
export const readCoinPayout = async (
  { config, db }: WithDb & WithConfig,
  withdrawalId: string,
): Promise<CoinPayout | undefined> => {
  const { rows } = await sql<PayoutRow>`
    SELECT b.network_name AS network, b.asset, b.decimals, b.dollars::text AS rate, b.rate_at AS "rateAt", p.units::text,
      s.transaction_id AS transaction, s.state, (c.height - s.height + 1)::int AS depth, s.seen_at AS "seenAt", s.confirmed_at AS "confirmedAt"
    FROM batch_payouts AS p JOIN batches AS b ON b.id = p.batch_id
      LEFT JOIN spendings AS s ON s.network_name = b.network_name AND s.transaction_id = p.transaction_id
      LEFT JOIN chains AS c ON c.network_name = b.network_name
    WHERE p.withdrawal_id = ${withdrawalId} AND (p.is_open OR p.transaction_id IS NOT NULL)
    ORDER BY p.transaction_id IS NULL, p.is_open DESC, b.made_at DESC LIMIT 1`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const { network, asset, rate, rateAt, units, decimals, transaction, state, depth } = row
  return {
    network,
    asset,
    rate,
    amount: textOfUnits(BigInt(units), decimals),
    rateAt: timestampFromDate(rateAt),
    payment:
      transaction === null || state === null
        ? null
        : {
            transaction,
            state,
            needed: neededOn(config, network),
            depth: depth === null ? null : Math.max(depth, 1),
            seenAt: timestampFromDate(row.seenAt),
            confirmedAt: row.confirmedAt && timestampFromDate(row.confirmedAt),
          },
  }
}
