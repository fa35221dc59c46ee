import type { Payload } from '@pool/contract/base/endpoint'
import { cents, dollarsFromCents } from '@pool/contract/base/money'
import { refusal } from '@pool/contract/base/refusals'
import type { closeLoan as call } from '@pool/contract/lending/loans'
import { sql } from 'kysely'
import { takeLock } from '../../base/locks.ts'
import type { Caller } from '../../base/sessions/actor.ts'
import { endingSessions } from '../../base/sessions/ending.ts'
import { isSamePerson } from '../../base/sessions/samePerson.ts'
import { type OnRecord, record } from '../../records/audit/record.ts'
import { readLoan } from './terms.ts'

type Closing = Payload<typeof call> & { readonly loanId: string; readonly by: Caller }

const actions = { WITHDRAWN: 'loan.withdrawn', DECLINED: 'loan.turnedDown' } as const

/**
 * Ends an application before its disbursement (docs/product.md 5.31). Throws `loanNotFound`,
 * `ownLoan`, `loanIs`, and `loanWaits` while a proposal about it waits.
 */
export const closeLoan = (
  { db, keys }: OnRecord,
  { loanId, by, outcome, reason }: Closing,
): Promise<void> =>
  endingSessions(db, async (transaction) => {
    // No step of a proposal is taken meanwhile, so none agrees to an application that ends.
    await takeLock(transaction, 'groups')
    const { status, userId, borrower, principal } = await readLoan(transaction, loanId)
    if (await isSamePerson(transaction, userId, by.id)) throw refusal('ownLoan')
    if (status !== 'APPLIED' && status !== 'APPROVED') throw refusal('loanIs', { status })
    const { rows: open } = await sql`
      SELECT FROM proposals AS p
      WHERE subject = ${loanId} AND kind IN ('APPROVE_LOAN', 'DISBURSE_LOAN', 'SEND_LOAN') AND ended_at IS NULL AND is_standing(p)`.execute(
      transaction,
    )
    if (open.length > 0) throw refusal('loanWaits')
    await transaction
      .updateTable('loans')
      .set({
        status: outcome,
        closed_for: reason,
        closed_by: by.id,
        closed_at: sql<Date>`now()`,
      })
      .where('id', '=', loanId)
      .execute()
    await record(transaction, keys, {
      by,
      action: actions[outcome],
      subject: { type: 'loan', id: loanId },
      before: { status },
      after: { status: outcome, borrower, amount: dollarsFromCents(cents(principal)) },
      reason,
    })
  })
