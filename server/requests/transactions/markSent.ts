import { refusal } from '@pool/contract/base/refusals'
import { orderOnRecord } from '@pool/contract/coins/withdrawalOrder'
import { type Kysely, sql } from 'kysely'
import { canonicalEvidence, networksOf, type Payment } from '../../base/chains/networks.ts'
import type { Config } from '../../base/configuration/config.ts'
import type { Schema } from '../../base/db/schema.ts'
import { takeLock } from '../../base/locks.ts'
import type { Caller } from '../../base/sessions/actor.ts'
import type { WithConfig } from '../../http/context.ts'
import { evidenceText } from '../../ledger/families/decisions.ts'
import { requireUnbatched } from '../../money/claims/batched.ts'
import { type OnRecord, record } from '../../records/audit/record.ts'
import { lockWithdrawal } from './lockWithdrawal.ts'
import { countPassedOver } from './order.ts'

/**
 * APPROVED → PROCESSING, without a movement. A repeat changes nothing. Throws `notToSend`,
 * `networkDiffers`, `inBatch`, and as {@link requireUnpaid} and {@link lockWithdrawal} do.
 */
export const markSent = (
  { config, db, keys }: OnRecord & WithConfig,
  {
    transactionId,
    networkName,
    evidence,
    outOfOrderReason,
    by,
  }: {
    readonly transactionId: string
    readonly networkName: string
    readonly evidence: string
    readonly outOfOrderReason?: string | undefined
    readonly by: Caller
  },
) =>
  db.transaction().execute(async (transaction) => {
    const withdrawal = await lockWithdrawal(transaction, { transactionId, by })
    const payment = canonicalEvidence(networkName, evidence)
    if (payment === undefined) throw refusal('evidenceInvalid')
    const { status } = withdrawal
    if (status === 'PROCESSING' || status === 'COMPLETED') {
      if (isMarkedBy(withdrawal, networkName, payment)) return { transactionId, status }
      throw refusal('notToSend', { status })
    }
    if (status !== 'APPROVED') throw refusal('notToSend', { status })
    await requireUnbatched(transaction, transactionId)
    if (!fits(withdrawal, networkName, config.poolMode)) throw refusal('networkDiffers')
    // A sandbox may pay to a note, which is no address.
    const { payee_address } = withdrawal
    if (networksOf(payee_address ?? '', config.poolMode).length > 0)
      await requireUnpaid(transaction, { transactionId, networkName, payment })
    const passedOver = await countPassedOver(transaction, config, {
      taking: 'send',
      ids: [transactionId],
      by: by.id,
      network: networkName,
    })
    await transaction
      .updateTable('transactions')
      .set({
        status: 'PROCESSING',
        sent_at: sql<Date>`now()`,
        sent_by: by.id,
        sent_network: networkName,
        sent_evidence: payment.id,
        sent_output: payment.output ?? null,
      })
      .where('id', '=', transactionId)
      .execute()
    const order = orderOnRecord(passedOver, outOfOrderReason)
    await record(transaction, keys, {
      by,
      action: 'withdrawal.sent',
      subject: { type: 'transaction', id: transactionId },
      ownerId: withdrawal.user_id,
      before: { status },
      after: {
        status: 'PROCESSING',
        networkName,
        evidence: evidenceText(payment),
        payeeAddress: withdrawal.payee_address ?? undefined,
        ...order.after,
      },
      ...(order.reason !== undefined && { reason: order.reason }),
    })
    return { transactionId, status: 'PROCESSING' as const }
  })

type SentRow = {
  readonly sent_network: string | null
  readonly sent_evidence: string | null
  readonly sent_output: number | null
}

const isMarkedBy = (sent: SentRow, networkName: string, { id, output }: Payment): boolean =>
  sent.sent_network === networkName &&
  sent.sent_evidence === id &&
  sent.sent_output === (output ?? null)

/**
 * Refuses a payment that is on record for another withdrawal. Without an output it pays an address
 * once. An output may pay two withdrawals to one address, unless the product marked one with it.
 */
const requireUnpaid = async (
  transaction: Kysely<Schema>,
  {
    transactionId,
    networkName,
    payment: { id, output },
  }: { readonly transactionId: string; readonly networkName: string; readonly payment: Payment },
): Promise<void> => {
  // Marks with one payment come one at a time.
  await takeLock(transaction, 'marks', `${networkName} ${id}`)
  const { rows } = await sql<{ same: boolean; output: number | null; exact: boolean }>`
    SELECT lower(other.payee_address) = lower(this.payee_address) AS same, other.sent_output AS output,
      other.sent_basis IS NOT NULL AS exact
    FROM transactions AS this JOIN transactions AS other
      ON other.sent_network = ${networkName} AND other.sent_evidence = ${id} AND other.id <> this.id
    WHERE this.id = ${transactionId} AND other.payee_address IS NOT NULL`.execute(transaction)
  if (output === undefined && rows.some(({ same }) => same)) throw refusal('evidencePaid')
  if (
    output !== undefined &&
    rows.some((other) => (!other.same || other.exact) && other.output === output)
  )
    throw refusal('evidenceOutputPaid')
}

/** The investor's network counts, else those of the approved address. The sandbox may have none. */
const fits = (
  {
    destination_network,
    payee_address,
  }: { readonly destination_network: string; readonly payee_address: string | null },
  networkName: string,
  mode: Config['poolMode'],
): boolean => {
  if (destination_network !== '') return destination_network === networkName
  const possible = networksOf(payee_address ?? '', mode)
  return possible.length === 0 || possible.some((name) => name === networkName)
}
