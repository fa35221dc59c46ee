/** The pool's coins by the ledger, and the part that no node showed (docs/product.md 4.5). */
import { type Cents, cents } from '@pool/contract/base/money'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { POOL_OWNER } from '../families/accounts.ts'

/** Cents of the coins in custody, as the ledger counts them. Never below zero. */
export const custodyInCents = async (db: Kysely<Schema>): Promise<Cents> => {
  const { rows } = await sql<{ coins: bigint }>`
    SELECT -balance AS coins FROM accounts WHERE owner_id = ${POOL_OWNER} AND kind = 'custody'`.execute(
    db,
  )
  return cents(rows[0]?.coins ?? 0n)
}

/**
 * Cents of coins that people typed and no node showed: deposits, capital and repayments, less
 * withdrawals, loans and capital that left. Below zero more left so than came in.
 */
export const typedInCents = async (db: Kysely<Schema>): Promise<Cents> => {
  const { rows } = await sql<{ typed: bigint }>`
    SELECT ((SELECT coalesce(sum(amount), 0) FROM transactions AS t WHERE type = 'deposit' AND status = 'APPROVED'
        AND NOT EXISTS (SELECT FROM payments AS p WHERE p.deposit_id = t.id))
      - (SELECT coalesce(sum(amount), 0) FROM transactions AS t WHERE type = 'withdrawal' AND status = 'COMPLETED'
        AND NOT EXISTS (SELECT FROM spendings AS s WHERE s.network_name = t.sent_network AND s.transaction_id = t.sent_evidence))
      + (SELECT coalesce(sum(amount), 0) FROM contributions WHERE source <> 'SEEN')
      - (SELECT coalesce(sum(amount), 0) FROM capital_withdrawals)
      + (SELECT coalesce(sum(principal + interest + recovered), 0) FROM loan_repayments WHERE NOT reversed)
      - (SELECT coalesce(sum(principal), 0) FROM loan_disbursements WHERE NOT sent))::bigint AS typed`.execute(
    db,
  )
  return cents(rows[0]?.typed ?? 0n)
}
