/** Withdrawals that staff marked by hand, completed once the chain shows that they are paid. */
import { cents } from '@pool/contract/base/money'
import type { NetworkName } from '@pool/contract/base/networks'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { isInBatch } from '../../money/claims/batched.ts'
import type { ShownWithdrawal } from './byChain.ts'
import type { SpendingRow } from './readOnChain.ts'

type PaidMarkRow = {
  readonly id: string
  readonly ownerId: string
  readonly amount: bigint
  readonly output: number
  readonly address: string
  readonly asset: string
  readonly units: string
  readonly decimals: number
  readonly spending: SpendingRow
}

/**
 * Marked withdrawals whose confirmed transaction pays the payee what the withdrawal is worth, no
 * more and no less (`mark_pays`), outside of batches.
 */
export const readPaidMarks = async (
  db: Kysely<Schema>,
  network: NetworkName,
): Promise<readonly ShownWithdrawal[]> => {
  const { rows } = await sql<PaidMarkRow>`
    SELECT t.id, t.user_id AS "ownerId", t.amount, c.output, c.address, c.asset, c.units::text, c.decimals,
      jsonb_build_object('id', s.id, 'transaction', s.transaction_id, 'state', s.state, 'height', s.height::int, 'hash', s.block_hash,
        'spent', coalesce((SELECT jsonb_agg(jsonb_build_object('address', address, 'input', input, 'units', units::text)) FROM spent_coins WHERE spending_id = s.id), '[]')) AS spending
    FROM transactions AS t JOIN spendings AS s ON s.network_name = t.sent_network AND s.transaction_id = t.sent_evidence
      JOIN sent_coins AS c ON c.spending_id = s.id AND lower(c.address) = lower(t.payee_address) AND c.output = coalesce(t.sent_output, c.output)
    WHERE t.type = 'withdrawal' AND t.status = 'PROCESSING' AND t.sent_by IS NOT NULL AND t.sent_network = ${network}
      AND s.state = 'CONFIRMED' AND mark_pays(s.id, c.output)
      AND NOT ${isInBatch(sql.ref('t.id'))}`.execute(db)
  return rows.map(({ output, address, asset, units, amount, ...row }) => ({
    ...row,
    loanId: null,
    cents: cents(amount),
    status: 'PROCESSING',
    isMarked: true,
    batchId: null,
    sent: { output, address, asset, units },
  }))
}
