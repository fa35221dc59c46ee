/** Recomputes the double entry of coins from the facts (docs/product.md 5.24). */
import { networks } from '@pool/contract/base/networks'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'

/** Networks on which the fee is a part of the spent coins. */
const SPENDS_FEES = networks.flatMap(({ name, family }) => (family === 'bitcoin' ? name : []))

/**
 * Finds the first coin of a network whose balances do not equal payments received minus coins
 * spent, as a sentence. Leaves out transactions that wait to be posted. Undefined when all equal.
 */
export const checkCoins = async (db: Kysely<Schema>): Promise<string | undefined> => {
  const { rows } = await sql<{ network: string; asset: string; booked: string; facts: string }>`
    WITH due AS (SELECT network_name, transaction_id FROM coin_facts_due), ours AS (
      SELECT network_name, asset, side.units FROM coin_movements AS m
      CROSS JOIN LATERAL (VALUES (to_account, m.units), (from_account, -m.units)) AS side (account, units)
      WHERE account IN ('deposit', 'change', 'cold', 'safe', 'payer') AND cause IN ('PAYMENT', 'SPENDING', 'SETTLEMENT')
        AND (network_name, transaction_id) NOT IN (SELECT network_name, transaction_id FROM due)
    ), spending AS (
      SELECT * FROM spendings AS s WHERE state = 'CONFIRMED' AND (network_name, transaction_id) NOT IN (SELECT network_name, transaction_id FROM due)
    ), facts AS (
      SELECT p.network_name, p.asset, p.units FROM payments AS p LEFT JOIN spendings AS s USING (network_name, transaction_id)
      WHERE coin_account(p.network_name, p.address) IS NOT NULL
        AND (p.state = 'CONFIRMED' AND s.state IS DISTINCT FROM 'SEEN' OR p.state = 'SEEN' AND s.state = 'CONFIRMED' AND s.height = p.height)
        AND (p.network_name, p.transaction_id) NOT IN (SELECT network_name, transaction_id FROM due)
      UNION ALL
      -- An address that was named ours after its coins had come.
      SELECT s.network_name, c.asset, c.units FROM spending AS s JOIN sent_coins AS c ON c.spending_id = s.id
      WHERE coin_account(s.network_name, c.address) IS NOT NULL AND NOT EXISTS (
        SELECT FROM payments AS p WHERE p.network_name = s.network_name AND p.transaction_id = s.transaction_id
          AND p.output = c.output AND p.asset = c.asset AND p.state IN ('SEEN', 'CONFIRMED'))
      UNION ALL
      SELECT s.network_name, c.asset, -c.units FROM spending AS s JOIN spent_coins AS c ON c.spending_id = s.id
      UNION ALL
      SELECT network_name, fee_asset, -fee_units FROM spending WHERE network_name <> ALL (${SPENDS_FEES})
    ), booked AS (SELECT network_name, asset, sum(units) AS units FROM ours GROUP BY network_name, asset),
      caused AS (SELECT network_name, asset, sum(units) AS units FROM facts GROUP BY network_name, asset)
    SELECT network_name AS network, asset, coalesce(b.units, 0)::text AS booked, coalesce(c.units, 0)::text AS facts
    FROM booked AS b FULL JOIN caused AS c USING (network_name, asset)
    WHERE coalesce(b.units, 0) <> coalesce(c.units, 0) ORDER BY 1, 2 LIMIT 1`.execute(db)
  const [found] = rows
  if (!found) return undefined
  const { network, asset, booked, facts } = found
  return `The books have ${booked} units of ${asset} on ${network}, but its payments and spendings come to ${facts}.`
}
