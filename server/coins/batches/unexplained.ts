import type { NetworkName } from '@pool/contract/base/networks'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'

/**
 * True for addresses to which coins of the pool went that nothing explains yet. Such coins may be
 * what a withdrawal waits for: a batch of a restored pool, or a payment by hand.
 */
export const readUnexplained = async (
  db: Kysely<Schema>,
  network: NetworkName,
): Promise<(address: string) => boolean> => {
  const { rows } = await sql<{ address: string }>`
    SELECT DISTINCT lower(c.address) AS address FROM payout_alarms AS a JOIN sent_coins AS c ON c.spending_id = a.spending_id
    WHERE a.kind = 'UNEXPLAINED' AND a.network_name = ${network} AND a.ended_at IS NULL AND a.settled_at IS NULL
      AND c.address IS NOT NULL AND c.units > 0
      -- A payment of its batch is explained, though other coins beside it are not.
      AND NOT EXISTS (SELECT FROM spendings AS s JOIN batch_payouts AS p ON p.transaction_id = s.transaction_id AND p.output = c.output AND p.is_open
        WHERE s.id = a.spending_id)`.execute(db)
  const paid = new Set(rows.map(({ address }) => address))
  return (address) => paid.has(address.toLowerCase())
}
