/** Sent withdrawals that two people complete (docs/decisions/084). */
import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { cents, centsFromDollars, dollarsFromCents } from '@pool/contract/base/money'
import { refusal } from '@pool/contract/base/refusals'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { Operation } from '../../ledger/families/movements.ts'
import { signEntry } from '../../records/audit/entry.ts'
import { type OnRecord, SYSTEM } from '../../records/audit/record.ts'
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

/** The operation that completes a sent withdrawal as two people, by id, agreed. */
export const completionOf = async (
  { db, keys }: OnRecord,
  { transactionId: id, userId: ownerId, amount, evidence, networkName }: AskedCompletion,
  people: readonly [asker: string, approver: string],
): Promise<Operation> => {
  const [asker, approver] = await Promise.all(people.map((each) => nameOf(db, each)))
  const basis = `${asker} and ${approver} agreed on ${evidence} on ${networkName}`
  return {
    movement: 'withdrawal_completed',
    id,
    ownerId,
    amount: centsFromDollars(amount),
    basis,
    evidence: undefined,
    entry: signEntry(keys, {
      by: SYSTEM,
      action: 'withdrawal.completed',
      subject: { type: 'transaction', id },
      ownerId,
      before: { status: 'PROCESSING' },
      after: { status: 'COMPLETED', evidence },
      reason: basis,
    }),
  }
}

const nameOf = async (db: Kysely<Schema>, id: string): Promise<string> => {
  const { username } = await db
    .selectFrom('users')
    .select('username')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return username
}
