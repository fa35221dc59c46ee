import type { NetworkName } from '@pool/contract/base/networks'
import { Refusal } from '@pool/contract/base/refusals'
import { sql } from 'kysely'
import type { WithConfig } from '../../http/context.ts'
import { type OnRecord, SYSTEM } from '../../records/audit/record.ts'
import { addWallet } from './addWallet.ts'

/**
 * Adds wallets of investors who were paid at their address on another network of its family, unless
 * they have another one there (docs/product.md 5.19). Returns the number of wallets.
 */
export const addPaidElsewhere = async (
  context: OnRecord & WithConfig,
  networkName: NetworkName,
): Promise<number> => {
  // An address that no key of the pool gave may be a contract, which others can own elsewhere.
  const { rows } = await sql<{ address: string }>`
    SELECT DISTINCT w.address
    FROM payments AS p JOIN wallets AS w ON lower(w.address) = lower(p.address) AND w.owner_id IS NOT NULL AND w.key_id IS NOT NULL
    WHERE p.network_name = ${networkName} AND p.state = 'CONFIRMED' AND p.deposit_id IS NULL AND NOT EXISTS (
      SELECT FROM wallets AS here WHERE here.network_name = p.network_name
        AND (lower(here.address) = lower(p.address) OR here.owner_id = w.owner_id AND here.archived_at IS NULL))`.execute(
    context.db,
  )
  let added = 0
  for (const { address } of rows)
    try {
      await addWallet(context, { address, networkName }, SYSTEM)
      added += 1
    } catch (error) {
      // Another process added one first.
      if (!(error instanceof Refusal)) throw error
    }
  return added
}
