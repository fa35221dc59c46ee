import type { Payload } from '@pool/contract/endpoint'
import type { recordLoan as call } from '@pool/contract/loans'
import { termsFrom } from '@pool/contract/loanTerms'
import { centsFromDollars } from '@pool/contract/money'
import { refusal } from '@pool/contract/refusals'
import { sql } from 'kysely'
import { type OnRecord, record } from '../audit/record.ts'
import { newId } from '../db/ids.ts'
import type { Caller } from '../sessions/actor.ts'

const dateOf = (text: string) => sql<Date>`${text}::date`

/** Records an application. Throws `badTerms` and `borrowerNotFound`. */
export const recordLoan = (
  { db, keys }: OnRecord,
  by: Caller,
  { borrowerId, purpose, ...typed }: Payload<typeof call>,
): Promise<{ readonly id: string }> =>
  db.transaction().execute(async (transaction) => {
    const terms = termsFrom(typed)
    if (typeof terms === 'string') throw refusal('badTerms', { problem: terms })
    const borrower = await transaction
      .selectFrom('borrowers')
      .select('name')
      .where('id', '=', borrowerId)
      .executeTakeFirst()
    if (!borrower) throw refusal('borrowerNotFound')
    const id = newId()
    await transaction
      .insertInto('loans')
      .values({
        ...{ id, borrower_id: borrowerId, purpose, principal: centsFromDollars(typed.amount) },
        ...{ rate_basis_points: typed.rateBasisPoints, schedule: typed.schedule },
        ...{ period: typed.period, day_count: typed.dayCount, instalments: typed.instalments },
        ...{ due_day: typed.dueDay, disburse_on: dateOf(typed.disburseOn) },
        ...{ first_due_on: dateOf(typed.firstDueOn), recorded_by: by.id },
      })
      .execute()
    await record(transaction, keys, {
      by,
      action: 'loan.recorded',
      subject: { type: 'loan', id },
      after: { borrower: borrower.name, purpose, ...typed },
    })
    return { id }
  })
