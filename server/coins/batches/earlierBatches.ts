/**
 * Batches that were given up, whose files may still be signed. A withdrawal or loan is paid at most
 * once, because its next transaction cannot stand beside an earlier one (docs/decisions/053).
 */
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'

export type EarlierBatch = {
  /** The withdrawal or the loan. */
  readonly order: string
  readonly batchId: string
  readonly format: 'PSBT' | 'SAFE' | 'CSV'
  readonly payer: string | null
  readonly nonce: number | null
  /** Of a PSBT: the outputs that it spends. */
  readonly inputs: readonly string[]
  /** True once a transaction on the chain is this batch, or may be: its file was sent after all. */
  readonly isSent: boolean
  /** Of a Safe: true if a confirmed transaction is said to be another batch of this number. */
  readonly isOvertaken: boolean
}

/**
 * The earlier batches of these withdrawals and loans. Leaves out those of which a confirmed
 * transaction spent a coin that is explained as something else, and does not pay the order itself.
 */
export const readEarlier = async (
  db: Kysely<Schema>,
  ids: readonly string[],
): Promise<EarlierBatch[]> => {
  const { rows } = await sql<EarlierBatch>`
    SELECT DISTINCT coalesce(p.withdrawal_id, r.loan_id) AS "order", b.id AS "batchId", b.format, b.payer, b.nonce::int AS nonce,
      ARRAY(SELECT input FROM batch_inputs AS i WHERE i.batch_id = b.id ORDER BY input) AS inputs,
      EXISTS (SELECT FROM spendings AS s WHERE s.network_name = b.network_name AND s.state IN ('SEEN', 'CONFIRMED') AND (
        s.batch_id = b.id AND (s.settled_at IS NULL OR s.transaction_id = p.transaction_id)
        -- Nothing explains it yet, and it pays exactly this.
        OR s.batch_id IS NULL AND s.settled_at IS NULL AND s.seen_at >= b.made_at
          AND EXISTS (SELECT FROM sent_coins AS c WHERE c.spending_id = s.id
            AND c.asset = b.asset AND c.units = p.units AND lower(c.address) = lower(p.address))
          AND NOT EXISTS (SELECT FROM transactions AS t WHERE t.sent_network = s.network_name
            AND t.sent_evidence = s.transaction_id AND t.id IS DISTINCT FROM p.withdrawal_id))) AS "isSent",
      EXISTS (SELECT FROM batches AS o WHERE o.id <> b.id AND o.network_name = b.network_name AND o.payer = b.payer
        AND o.nonce = b.nonce AND EXISTS (SELECT FROM spendings AS s JOIN spent_coins AS c ON c.spending_id = s.id
          WHERE s.batch_id = o.id AND s.state = 'CONFIRMED' AND lower(c.address) = lower(b.payer))) AS "isOvertaken"
    FROM batch_payouts AS p JOIN batches AS b ON b.id = p.batch_id LEFT JOIN loan_sendings AS r ON r.id = p.sending_id
    WHERE (p.withdrawal_id = ANY (${ids}::uuid[]) OR r.loan_id = ANY (${ids}::uuid[])) AND b.state = 'GIVEN_UP' AND b.kind = 'PAYOUT'
      AND NOT EXISTS (SELECT FROM batch_inputs AS i JOIN spent_coins AS c ON c.input = i.input
        JOIN spendings AS s ON s.id = c.spending_id
        WHERE i.batch_id = b.id AND s.network_name = b.network_name AND s.state = 'CONFIRMED'
          AND (s.batch_id <> b.id OR s.settled_at IS NOT NULL AND s.transaction_id IS DISTINCT FROM p.transaction_id))`.execute(
    db,
  )
  return rows
}
