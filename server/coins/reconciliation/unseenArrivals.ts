import { timestampFromDate } from '@pool/contract/base/timestamp'
import { textOfUnits } from '@pool/contract/chain/quotes'
import { UNSEEN_SIZE, type UnseenArrival } from '@pool/contract/coins/unseen'
import { type Kysely, sql } from 'kysely'
import type { Config } from '../../base/configuration/config.ts'
import type { Schema } from '../../base/db/schema.ts'

type UnseenRow = Omit<UnseenArrival, 'amount' | 'foundAt' | 'settledAt'> & {
  readonly units: string
  readonly decimals: number
  readonly foundAt: Date
  readonly settledAt: Date | null
}

/** Those that wait come first, then the newest. */
export const listUnseen = async (db: Kysely<Schema>): Promise<UnseenArrival[]> => {
  const { rows } = await sql<UnseenRow>`
    SELECT a.id, network_name AS network, a.address, a.asset, a.units::text, a.decimals, above::int, height::int,
      found_at AS "foundAt", settled_at AS "settledAt", u.username AS "settledBy", reason,
      (SELECT owner_id FROM wallets AS w WHERE lower(w.address) = lower(a.address) AND owner_id IS NOT NULL LIMIT 1) AS "userId"
    FROM unseen_arrivals AS a LEFT JOIN users AS u ON u.id = settled_by AND u.closed_at IS NULL
    ORDER BY settled_at IS NOT NULL, found_at DESC, a.id DESC LIMIT ${UNSEEN_SIZE}`.execute(db)
  return rows.map(({ units, decimals, foundAt, settledAt, ...row }) => ({
    ...row,
    amount: textOfUnits(BigInt(units), decimals),
    foundAt: timestampFromDate(foundAt),
    settledAt: settledAt && timestampFromDate(settledAt),
  }))
}

export type UnseenState = {
  /** Arrivals that wait for staff. */
  readonly open: number
  /** Seconds since the balances of each network were last compared. */
  readonly compared: readonly { readonly network: string; readonly seconds: number }[]
}

/** Reads the metrics. A network that was never compared counts from its first look. */
export const readUnseenState = async (
  db: Kysely<Schema>,
  { chains }: Pick<Config, 'chains'>,
): Promise<UnseenState> => {
  const names = chains.filter(({ kind }) => kind === 'evm').map(({ network }) => network)
  const { rows } = await sql<UnseenState>`
    SELECT (SELECT count(*)::int FROM unseen_arrivals WHERE settled_at IS NULL) AS open,
      coalesce((SELECT jsonb_agg(jsonb_build_object('network', network_name,
          'seconds', extract(epoch FROM now() - coalesce(balances_at, followed_since))))
        FROM chains WHERE network_name = ANY (${names}) AND followed_since IS NOT NULL), '[]') AS compared`.execute(
    db,
  )
  return rows[0] ?? { open: 0, compared: [] }
}
