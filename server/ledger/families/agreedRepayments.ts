/** Repayments and reversals that two people agreed on, as one person alone may not do so. */
import { cents, dollarsFromCents } from '@pool/contract/base/money'
import type { StateReading } from './movement.ts'

const AGREED = `
SELECT id, kind, subject, payload FROM proposals
WHERE id = ANY ($1::uuid[]) AND status = 'DONE' AND NOT alone AND decided_by <> asked_by`

type Agreement = {
  readonly kind: string
  readonly subject: string
  readonly payload: Readonly<Record<string, unknown>>
}
export type Agreements = ReadonlyMap<string, Agreement>

/** Approved proposals by id. Read once their loans are locked. */
export const agreements: StateReading<{ readonly agreedId?: string | undefined }, Agreements> = {
  read: async (query, operations) => {
    const ids = operations.flatMap(({ agreedId }) => agreedId ?? [])
    if (ids.length === 0) return new Map()
    const rows = await query<Agreement & { id: string }>('read_agreements', AGREED, [ids])
    return new Map(rows.map(({ id, ...agreement }) => [id, agreement]))
  },
}

type Repayment = {
  readonly agreedId?: string | undefined
  readonly loanId: string
  readonly amount: bigint
  readonly valueOn: string
  readonly reference: string
  readonly inFull?: boolean | undefined
}

/** True for the repayment that two people agreed on, a line of their file, or one placed anew. */
export const isAgreedRepayment = (repayment: Repayment, agreed: Agreements): boolean => {
  const { agreedId = '', loanId, amount, valueOn, reference, inFull = false } = repayment
  const agreement = agreed.get(agreedId)
  // The verb posts the lines of the file whose SHA-256 the proposal has.
  if (agreement?.kind === 'IMPORT_REPAYMENTS') return true
  if (agreement?.kind === 'RECOUNT_LOAN') return agreement.subject === loanId
  if (agreement?.kind !== 'REPAY_LOAN' || agreement.subject !== loanId) return false
  const { payload } = agreement
  return (
    payload.amount === dollarsFromCents(cents(amount)) &&
    payload.valueOn === valueOn &&
    payload.reference === reference &&
    (payload.inFull ?? false) === inFull
  )
}

const named = ({ repaymentIds }: Agreement['payload']): readonly unknown[] =>
  Array.isArray(repaymentIds) ? repaymentIds : []

/** True for the reversal that two people agreed on. */
export const isAgreedReversal = (
  { agreedId = '', repaymentId }: { readonly agreedId?: string; readonly repaymentId: string },
  agreed: Agreements,
): boolean => {
  const agreement = agreed.get(agreedId)
  if (agreement?.kind === 'RECOUNT_LOAN') return named(agreement.payload).includes(repaymentId)
  return agreement?.kind === 'REVERSE_REPAYMENT' && agreement.payload.repaymentId === repaymentId
}
