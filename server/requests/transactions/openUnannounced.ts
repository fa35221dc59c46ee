import { type Cents, dollarsFromCents } from '@pool/contract/base/money'
import { sql } from 'kysely'
import { newId } from '../../base/db/ids.ts'
import { takeLock } from '../../base/locks.ts'
import { COIN } from '../../chain/nodes/node.ts'
import { evidenceOf } from '../../chain/nodes/queries.ts'
import { type OnRecord, record, SYSTEM } from '../../records/audit/record.ts'
import type { Unsettled } from './arrivals.ts'

/**
 * Opens a PENDING deposit that rests on coins without a request. Moves no money. Returns its id;
 * undefined for a closed account, and for a payment that another deposit has.
 */
export const openUnannounced = (
  { db, keys }: OnRecord,
  payment: Unsettled,
  amount: Cents,
): Promise<string | undefined> =>
  db.transaction().execute(async (transaction) => {
    // Decisions read which evidence is used, and write in the same turn.
    await takeLock(transaction, 'approvals')
    const id = newId()
    const output = payment.output === COIN ? null : payment.output
    const { rows } = await sql<{ id: string }>`
      INSERT INTO transactions (id, user_id, type, amount, status, wallet_id, evidence_network, evidence, evidence_output, unannounced, created_at, updated_at)
      SELECT ${id}, u.id, 'deposit', ${amount}, 'PENDING', w.id, w.network_name, ${payment.transaction}, ${output}::integer, true, now(), now()
      FROM wallets AS w JOIN users AS u ON u.id = w.owner_id
      WHERE w.id = ${payment.walletId} AND u.id = ${payment.ownerId} AND u.closed_at IS NULL
        AND NOT EXISTS (
          SELECT FROM transactions AS t WHERE t.evidence_network = w.network_name AND t.evidence = ${payment.transaction}
            AND t.evidence IS NOT NULL AND t.status IN ('PENDING', 'APPROVED')
            AND (t.evidence_output = ${output}::integer OR t.evidence_output IS NULL AND t.wallet_id = w.id))
      FOR KEY SHARE OF u
      RETURNING id`.execute(transaction)
    if (rows.length === 0) return undefined
    await record(transaction, keys, {
      by: SYSTEM,
      action: 'deposit.unannounced',
      subject: { type: 'transaction', id },
      ownerId: payment.ownerId,
      after: {
        status: 'PENDING',
        amount: dollarsFromCents(amount),
        evidence: evidenceOf(payment),
      },
    })
    return id
  })
