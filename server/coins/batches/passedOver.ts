import { MOST_OLDER } from '@pool/contract/coins/withdrawalOrder'
import { type Kysely, sql } from 'kysely'
import type { Config } from '../../base/configuration/config.ts'
import type { Schema } from '../../base/db/schema.ts'
import { readCandidates } from './candidates.ts'
import { readEarlier } from './earlierBatches.ts'
import { orderOf, type Plan, unitsOf } from './plan.ts'
import { DUST } from './selectCoins.ts'

type Planned = Pick<Plan, 'payouts' | 'leftOut' | 'network' | 'format' | 'rate' | 'decimals'>

/**
 * The number of older withdrawals that this person could pay in such a batch, and that are not in
 * it (docs/product.md 5.40). Stops at {@link MOST_OLDER}.
 */
export const countPassedOver = async (
  db: Kysely<Schema>,
  config: Pick<Config, 'poolMode'>,
  { plan, by }: { readonly plan: Planned; readonly by: string },
): Promise<number> => {
  const { network, rate, decimals } = plan
  const paid = plan.payouts.flatMap(({ withdrawalId }) => withdrawalId ?? [])
  if (paid.length === 0) return 0
  const out = plan.leftOut.flatMap(({ withdrawalId }) => withdrawalId ?? [])
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM transactions
    WHERE type = 'withdrawal' AND status = 'APPROVED' AND destination_network IN ('', ${network})
      AND id <> ALL (${[...paid, ...out]}::uuid[])
      AND (created_at, id) < (SELECT created_at, id FROM transactions WHERE id = ANY (${paid}::uuid[])
        ORDER BY created_at DESC, id DESC LIMIT 1)
    ORDER BY created_at, id LIMIT ${MOST_OLDER}`.execute(db)
  const ids = rows.map(({ id }) => id)
  const { payable } = await readCandidates(db, config, { ids, loanIds: [], network, by })
  // The file of a batch that was given up may hold them back.
  const held = new Set((await readEarlier(db, ids)).map(({ order }) => order))
  const least = plan.format === 'PSBT' ? DUST : 1n
  return payable.filter(
    (each) => !held.has(orderOf(each)) && unitsOf(each.amount, rate, decimals) >= least,
  ).length
}
