import { refusal } from '@pool/contract/refusals'
import { sql } from 'kysely'
import { record } from '../audit/record.ts'
import { canonicalEvidence, networksOf } from '../chains/networks.ts'
import type { Context } from '../context.ts'
import type { Caller } from '../sessions/actor.ts'
import { lockWithdrawal } from './lockWithdrawal.ts'

/**
 * APPROVED → PROCESSING, without a movement. A repeat with the same id changes nothing. Throws
 * `notToSend`, `networkDiffers`, `evidenceInvalid` and what {@link lockWithdrawal} throws.
 */
export const markSent = (
  { config, db, keys }: Pick<Context, 'config' | 'db' | 'keys'>,
  {
    transactionId,
    networkName,
    evidence,
    by,
  }: {
    readonly transactionId: string
    readonly networkName: string
    readonly evidence: string
    readonly by: Caller
  },
) =>
  db.transaction().execute(async (transaction) => {
    const withdrawal = await lockWithdrawal(transaction, { transactionId, by })
    const id = canonicalEvidence(networkName, evidence)
    if (id === undefined) throw refusal('evidenceInvalid')
    const { status, sent_evidence, sent_network } = withdrawal
    if (status === 'PROCESSING' || status === 'COMPLETED') {
      if (sent_evidence === id && sent_network === networkName) return { transactionId, status }
      throw refusal('notToSend', { status })
    }
    if (status !== 'APPROVED') throw refusal('notToSend', { status })
    if (!fits(withdrawal, networkName, config.poolMode)) throw refusal('networkDiffers')
    await transaction
      .updateTable('transactions')
      .set({
        status: 'PROCESSING',
        sent_at: sql<Date>`now()`,
        sent_by: by.id,
        sent_network: networkName,
        sent_evidence: id,
      })
      .where('id', '=', transactionId)
      .execute()
    await record(transaction, keys, {
      by,
      action: 'withdrawal.sent',
      subject: { type: 'transaction', id: transactionId },
      ownerId: withdrawal.user_id,
      before: { status },
      after: {
        status: 'PROCESSING',
        networkName,
        evidence: id,
        payeeAddress: withdrawal.payee_address ?? undefined,
      },
    })
    return { transactionId, status: 'PROCESSING' as const }
  })

/** The investor's network counts, else those of the approved address. The sandbox may have none. */
const fits = (
  {
    destination_network,
    payee_address,
  }: { readonly destination_network: string; readonly payee_address: string | null },
  networkName: string,
  mode: Context['config']['poolMode'],
): boolean => {
  if (destination_network !== '') return destination_network === networkName
  const possible = networksOf(payee_address ?? '', mode)
  return possible.length === 0 || possible.some((name) => name === networkName)
}
