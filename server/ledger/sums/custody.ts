import { type Cents, cents } from '@pool/contract/base/money'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { FEES_BORNE } from '../families/feeShares.ts'
import { OPEN_LOSS } from '../families/ladder.ts'

/**
 * Cents that the ledger counts in `custody`, as coins. The ledger sums to zero, so it is what the
 * other accounts leave: balances, capital, claims, fees of networks, loans and open losses.
 */
export const custodyInCents = async (db: Kysely<Schema>): Promise<Cents> => {
  const { rows } = await sql<{ custody: bigint }>`
    SELECT ((SELECT coalesce(sum(balance), 0) FROM accounts)
      - (SELECT coalesce(sum(amount), 0) FROM contributions)
      + (SELECT coalesce(sum(capital), 0) FROM capital_withdrawals)
      - (SELECT coalesce(sum(open), 0) FROM claims)
      - (SELECT coalesce(sum(amount), 0) FROM network_fees WHERE status = 'PAID')
      - (SELECT coalesce(sum(outstanding), 0) FROM loans) - ${sql.raw(OPEN_LOSS)} + ${sql.raw(FEES_BORNE)})::bigint AS custody`.execute(
    db,
  )
  return cents(rows[0]?.custody ?? 0n)
}
