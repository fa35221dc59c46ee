/** Marks of the product on withdrawals and loans whose coins a node shows. */
import { cents } from '@pool/contract/base/money'
import type { NetworkName } from '@pool/contract/base/networks'
import { Refusal } from '@pool/contract/base/refusals'
import { textOfUnits } from '@pool/contract/chain/quotes'
import { sql } from 'kysely'
import { shareLock } from '../../base/locks.ts'
import { COIN } from '../../chain/nodes/node.ts'
import type { OnLedger } from '../../http/context.ts'
import { evidenceText } from '../../ledger/families/decisions.ts'
import { signConfirmation } from '../../ledger/families/loanConfirmations.ts'
import { signEntry } from '../../records/audit/entry.ts'
import { type OnRecord, record, SYSTEM } from '../../records/audit/record.ts'
import type { SpendingRow } from './readOnChain.ts'

/** A withdrawal or loan in a batch, and the output that pays it. */
export type ShownPayout = {
  /** The withdrawal, or the reserved loan. */
  readonly id: string
  /** Null for a loan. `loanId` is null for a withdrawal. */
  readonly ownerId: string | null
  readonly loanId: string | null
  readonly cents: bigint
  readonly status: string
  /** True where staff marked it as sent with this transaction. */
  readonly isMarked: boolean
  /** Null where staff marked it without a batch. */
  readonly batchId: string | null
  readonly decimals: number
  readonly spending: SpendingRow
  readonly sent: {
    readonly output: number
    readonly address: string
    readonly asset: string
    readonly units: string
  }
}

/** A payout of a withdrawal. */
export type ShownWithdrawal = ShownPayout & { readonly ownerId: string }

/** As marks of staff name it: EVM's own coin has no output. */
const evidenceOf = ({ spending, sent }: ShownPayout) => ({
  id: spending.transaction,
  output: sent.output === COIN ? undefined : sent.output,
})

const basisOf = (payout: ShownPayout, network: NetworkName): string => {
  const { sent, decimals, spending, batchId } = payout
  const coins = `${textOfUnits(BigInt(sent.units), decimals)} ${sent.asset}`
  const place =
    spending.height === null ? `the pool of ${network}` : `block ${spending.height} of ${network}`
  return `${coins} to ${sent.address} in ${place}, as ${batchId === null ? 'staff marked it' : `batch ${batchId} pays`}`
}

/** APPROVED → PROCESSING. Returns false when a person or another process came first. */
export const sendByChain = (
  { db, keys }: OnRecord,
  network: NetworkName,
  payout: ShownWithdrawal,
): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    const { id, ownerId, batchId, spending } = payout
    const { output, ...evidence } = evidenceOf(payout)
    // Before the row, as postings do. Approving a proposal holds it alone.
    await shareLock(transaction, 'groups')
    const locked =
      await sql`SELECT FROM transactions WHERE id = ${id} AND status = 'APPROVED' FOR NO KEY UPDATE`.execute(
        transaction,
      )
    if (locked.rows.length === 0) return false
    const basis = basisOf(payout, network)
    // The next look sees the payout elsewhere, if it has moved.
    const marked = await sql`
      UPDATE transactions AS t SET status = 'PROCESSING', sent_at = now(), sent_basis = ${basis},
        sent_network = ${network}, sent_evidence = ${evidence.id}, sent_output = ${output ?? null}::integer
      WHERE t.id = ${id} AND EXISTS (
        SELECT FROM batch_payouts AS p JOIN spendings AS s ON s.transaction_id = p.transaction_id
        WHERE p.batch_id = ${batchId} AND p.withdrawal_id = t.id AND p.output = ${payout.sent.output}
          AND s.id = ${spending.id} AND s.state IN ('SEEN', 'CONFIRMED'))
      RETURNING t.id`.execute(transaction)
    if (marked.rows.length === 0) return false
    await record(transaction, keys, {
      by: SYSTEM,
      action: 'withdrawal.sent',
      subject: { type: 'transaction', id },
      ownerId,
      before: { status: 'APPROVED' },
      after: {
        status: 'PROCESSING',
        networkName: network,
        evidence: evidenceText({ ...evidence, output }),
        payeeAddress: payout.sent.address,
      },
      reason: basis,
    })
    return true
  })

/** Refusals worth retrying. They also come where another call completed it or gave it back. */
const RETRYABLE: readonly string[] = [
  'notToComplete',
  'busy',
  'unavailable',
  'outcomeUnknown',
  'paused',
]

/** PROCESSING → COMPLETED. Returns false when another decision stands against it. */
export const completeByChain = async (
  { db, keys, ledger }: OnLedger,
  network: NetworkName,
  payout: ShownWithdrawal,
): Promise<boolean> => {
  const { id, ownerId, cents: amount } = payout
  const row = await db
    .selectFrom('transactions')
    .select('status')
    .where('id', '=', id)
    .executeTakeFirst()
  if (row?.status !== 'PROCESSING') return false
  const evidence = evidenceOf(payout)
  const basis = basisOf(payout, network)
  const entry = signEntry(keys, {
    by: SYSTEM,
    action: 'withdrawal.completed',
    subject: { type: 'transaction', id },
    ownerId,
    before: { status: 'PROCESSING' },
    after: { status: 'COMPLETED', evidence: evidenceText(evidence) },
    reason: basis,
  })
  try {
    await ledger.post({
      movement: 'withdrawal_completed',
      id,
      ownerId,
      amount: cents(amount),
      // Evidence that staff entered is never overwritten.
      basis,
      evidence: payout.isMarked ? undefined : evidence,
      entry,
    })
    return true
  } catch (error) {
    if (error instanceof Refusal && RETRYABLE.includes(error.code)) return false
    throw error
  }
}

/**
 * Writes that a deep block has the coins of a reserved loan. A job of loans begins it. Returns
 * false when another process came first.
 */
export const confirmLoan = async (
  { db, keys }: OnRecord,
  network: NetworkName,
  { payout, minedAt }: { readonly payout: ShownPayout; readonly minedAt: number | null },
): Promise<boolean> => {
  const { id: transaction, output = null } = evidenceOf(payout)
  const basis = basisOf(payout, network)
  const at = minedAt === null ? null : new Date(minedAt * 1_000)
  const mac = signConfirmation(keys, {
    sendingId: payout.id,
    transaction,
    output,
    basis,
    minedAt: at,
  })
  const { rows } = await sql`
    INSERT INTO loan_confirmations (sending_id, transaction_id, output, basis, mined_at, mac)
    SELECT s.id, ${transaction}, ${output}::integer, ${basis}, ${at}::timestamptz, ${mac}
    FROM loans AS l JOIN loan_sendings AS s ON s.loan_id = l.id
    WHERE s.id = ${payout.id} AND s.status = 'OPEN' FOR NO KEY UPDATE
    ON CONFLICT DO NOTHING RETURNING sending_id`.execute(db)
  return rows.length > 0
}
