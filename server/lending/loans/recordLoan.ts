import type { Payload } from '@pool/contract/base/endpoint'
import { type Cents, centsFromDollars } from '@pool/contract/base/money'
import { type Refusal, refusal } from '@pool/contract/base/refusals'
import type { recordLoan as call } from '@pool/contract/lending/loans'
import { termsFrom } from '@pool/contract/lending/loanTerms'
import { type Kysely, sql } from 'kysely'
import type { Config } from '../../base/configuration/config.ts'
import { violatedConstraint } from '../../base/db/errors.ts'
import { newId } from '../../base/db/ids.ts'
import type { Schema } from '../../base/db/schema.ts'
import type { Caller } from '../../base/sessions/actor.ts'
import { type OnRecord, record } from '../../records/audit/record.ts'
import { todayOf } from './disburse.ts'

const dateOf = (text: string) => sql<Date>`${text}::date`

/** Throws `notRefinanced` unless it is a loan of the borrower that still owes something. */
const requireRefinanced = async (db: Kysely<Schema>, id: string, borrowerId: string) => {
  const loan = await db
    .selectFrom('loans')
    .select('id')
    .where('id', '=', id)
    .where('borrower_id', '=', borrowerId)
    .where('status', 'in', ['ACTIVE', 'DEFAULTED'])
    .executeTakeFirst()
  if (!loan) throw refusal('notRefinanced')
}

/** The refusal `fundingTooMuch`, or `principalNotLent` unless the operator permits it. */
export const fundingFault = (
  { lendPrincipal }: Pick<Config, 'lendPrincipal'>,
  fromInvestors: Cents,
  principal: Cents,
): Refusal | undefined => {
  if (fromInvestors > principal) return refusal('fundingTooMuch')
  return fromInvestors > 0n && !lendPrincipal ? refusal('principalNotLent') : undefined
}

/** The refusal of a loan that was not taken over between its disbursement and today. */
export const takenOverFault = ({
  takenOverOn,
  disburseOn,
}: Pick<Payload<typeof call>, 'takenOverOn' | 'disburseOn'>): Refusal | undefined => {
  if (takenOverOn === undefined) return undefined
  const isBetween = disburseOn <= takenOverOn && takenOverOn <= todayOf()
  return isBetween ? undefined : refusal('badTerms', { problem: 'takenOverApart' })
}

/**
 * Records an application. Throws `badTerms`, `borrowerNotFound`, `notRefinanced`, `fundingTooMuch`
 * and `principalNotLent`.
 */
export const recordLoan = (
  { db, keys, config }: OnRecord & { readonly config: Pick<Config, 'lendPrincipal'> },
  by: Caller,
  {
    borrowerId,
    purpose,
    refinancesId,
    fromInvestors = 0,
    takenOverOn,
    ...typed
  }: Payload<typeof call>,
): Promise<{ readonly id: string }> =>
  db.transaction().execute(async (transaction) => {
    const principal = centsFromDollars(typed.amount)
    const ofInvestors = centsFromDollars(fromInvestors)
    const fault =
      fundingFault(config, ofInvestors, principal) ??
      takenOverFault({ takenOverOn, disburseOn: typed.disburseOn })
    if (fault) throw fault
    const terms = termsFrom(typed)
    if (typeof terms === 'string') throw refusal('badTerms', { problem: terms })
    const borrower = await transaction
      .selectFrom('borrowers')
      .select('name')
      .where('id', '=', borrowerId)
      .executeTakeFirst()
    if (!borrower) throw refusal('borrowerNotFound')
    if (refinancesId !== undefined) await requireRefinanced(transaction, refinancesId, borrowerId)
    const id = newId()
    await transaction
      .insertInto('loans')
      .values({
        id,
        borrower_id: borrowerId,
        purpose,
        principal,
        rate_basis_points: typed.rateBasisPoints,
        schedule: typed.schedule,
        period: typed.period,
        day_count: typed.dayCount,
        instalments: typed.instalments,
        due_day: typed.dueDay,
        disburse_on: dateOf(typed.disburseOn),
        first_due_on: dateOf(typed.firstDueOn),
        recorded_by: by.id,
        refinances_id: refinancesId ?? null,
        from_investors: ofInvestors,
        taken_over_on: takenOverOn === undefined ? null : dateOf(takenOverOn),
      })
      .execute()
      .catch((error: unknown) => {
        throw violatedConstraint(error) === 'loans_refinance_once'
          ? refusal('notRefinanced')
          : error
      })
    await record(transaction, keys, {
      by,
      action: 'loan.recorded',
      subject: { type: 'loan', id },
      after: {
        borrowerId,
        borrower: borrower.name,
        purpose,
        ...typed,
        ...(refinancesId && { refinancesId }),
        ...(takenOverOn && { takenOverOn }),
        ...(ofInvestors > 0n && { fromInvestors }),
      },
    })
    return { id }
  })
