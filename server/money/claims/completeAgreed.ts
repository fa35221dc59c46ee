/** Sent withdrawals that two people complete (docs/decisions/084). */
import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { cents, centsFromDollars, dollarsFromCents } from '@pool/contract/base/money'
import { Refusal, refusal } from '@pool/contract/base/refusals'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { OnLedger } from '../../http/context.ts'
import { signEntry } from '../../records/audit/entry.ts'
import { SYSTEM } from '../../records/audit/record.ts'
import { requireUnbatched } from './batched.ts'

type AskedCompletion = PayloadOf<'COMPLETE_WITHDRAWAL'>

/** A withdrawal that staff marked as sent, as a proposal names it. */
export const readMarked = async (db: Kysely<Schema>, transactionId: string) => {
  const { rows } = await sql<{
    userId: string
    amount: bigint
    status: string
    networkName: string | null
    evidence: string | null
    marked: boolean
  }>`
    SELECT user_id AS "userId", amount, status, sent_network AS "networkName",
      sent_evidence || coalesce(':' || sent_output, '') AS evidence, sent_by IS NOT NULL AS marked
    FROM transactions WHERE id = ${transactionId} AND type = 'withdrawal'`.execute(db)
  const [row] = rows
  if (!row) throw refusal('transactionNotFound')
  const { userId, amount, status, networkName, evidence, marked } = row
  if (status !== 'PROCESSING' || !marked || networkName === null || evidence === null)
    throw refusal('notToComplete', { status })
  return { transactionId, userId, amount: dollarsFromCents(cents(amount)), networkName, evidence }
}

/** Throws unless the withdrawal is still marked as it was asked for, and in no open batch. */
export const requireCompletable = async (
  db: Kysely<Schema>,
  asked: AskedCompletion,
): Promise<void> => {
  const now = await readMarked(db, asked.transactionId)
  const isSame = now.networkName === asked.networkName && now.evidence === asked.evidence
  if (!isSame) throw refusal('proposalClosed')
  await requireUnbatched(db, asked.transactionId)
}

type AgreedCompletion = {
  readonly payload: AskedCompletion
  readonly asker: string
  readonly decider: string
}

/** Refusals of a moment: another process completed it, or the next call tries again. */
const RETRYABLE: readonly string[] = ['notToComplete', 'busy', 'unavailable', 'outcomeUnknown']

/** Completes the withdrawals that two people agreed on, each once. Returns their number. */
export const completeAgreed = async ({ db, keys, ledger }: OnLedger): Promise<number> => {
  const { rows } = await sql<AgreedCompletion>`
    SELECT p.payload, a.username AS asker, d.username AS decider
    FROM proposals AS p JOIN transactions AS t ON t.id::text = p.subject JOIN users AS a ON a.id = p.asked_by JOIN users AS d ON d.id = p.decided_by
    WHERE p.kind = 'COMPLETE_WITHDRAWAL' AND p.status = 'DONE' AND t.status = 'PROCESSING' ORDER BY p.asked_at, p.id`.execute(
    db,
  )
  let completed = 0
  for (const { payload, asker, decider } of rows) {
    const { transactionId: id, userId: ownerId, amount, evidence, networkName } = payload
    const basis = `${asker} and ${decider} agreed on ${evidence} on ${networkName}`
    const entry = signEntry(keys, {
      by: SYSTEM,
      action: 'withdrawal.completed',
      subject: { type: 'transaction', id },
      ownerId,
      before: { status: 'PROCESSING' },
      after: { status: 'COMPLETED', evidence },
      reason: basis,
    })
    try {
      await ledger.post({
        movement: 'withdrawal_completed',
        id,
        ownerId,
        amount: centsFromDollars(amount),
        basis,
        evidence: undefined,
        entry,
      })
      completed += 1
    } catch (error) {
      if (!(error instanceof Refusal && RETRYABLE.includes(error.code))) throw error
    }
  }
  return completed
}
