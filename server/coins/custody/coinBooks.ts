/** Every movement of coins in a span of time, for the pool's books (docs/product.md 5.39). */
import type { CoinAccount, CoinMovementKind } from '@pool/contract/coins/custody'
import { type RawBuilder, sql } from 'kysely'

type Span = { readonly from: Date; readonly to: Date }

export type BookedCoins = {
  readonly at: Date
  readonly kind: CoinMovementKind
  readonly network: string
  readonly transaction: string | null
  readonly from: CoinAccount
  readonly to: CoinAccount
  readonly asset: string
  readonly decimals: number
  readonly units: string
  /** Dollars as of its cause. Null where no rate counted then. */
  readonly cents: bigint | null
}

/** Units of an asset in one account of a network. */
export type CoinBalance = Pick<BookedCoins, 'network' | 'asset' | 'units'> & {
  readonly account: CoinAccount
}

/** Selects the units of each account right before a moment. */
export const selectCoinsBefore = (moment: Date): RawBuilder<CoinBalance> => sql`
  SELECT network_name AS network, asset, account, sum(units)::text AS units FROM (
    SELECT network_name, asset, to_account AS account, units FROM coin_movements WHERE at < ${moment}
    UNION ALL SELECT network_name, asset, from_account, -units FROM coin_movements WHERE at < ${moment}
  ) AS side GROUP BY 1, 2, 3`

/** Selects the movements from a moment to another, without that, in order. */
export const selectBookedCoins = ({ from, to }: Span): RawBuilder<BookedCoins> => sql`
  SELECT at, kind, network_name AS network, transaction_id AS transaction, from_account AS "from", to_account AS "to",
    asset, decimals, units::text AS units, cents
  FROM coin_movements WHERE at >= ${from} AND at < ${to} ORDER BY at, id`
