/** Steps of loans that two people agreed on (docs/decisions/038). */
import type { StateReading } from './movement.ts'

const AGREED = `
SELECT id, kind, subject FROM proposals AS p WHERE id = ANY ($1::uuid[]) AND status = 'DONE'
  AND NOT EXISTS (SELECT FROM loan_restructurings WHERE id = p.id)
  AND NOT EXISTS (SELECT FROM loan_repayments WHERE id = p.id)`

type AgreedLoan = { readonly kind: string; readonly subject: string }
export type AgreedLoans = Map<string, AgreedLoan>

/**
 * Approved proposals by id, but new terms and recoveries that are booked. Read once their loans are
 * locked.
 */
export const agreed: StateReading<{ readonly id: string }, AgreedLoans> = {
  read: async (query, operations) => {
    const rows = await query<AgreedLoan & { id: string }>('read_agreed_ends', AGREED, [
      operations.map(({ id }) => id),
    ])
    return new Map(rows.map(({ id, ...proposal }) => [id, proposal]))
  },
}

/** True if the operation is the one that two people agreed on. */
export const isAgreed = (
  { id, loanId }: { readonly id: string; readonly loanId: string },
  kind: string,
  proposals: AgreedLoans,
): boolean => {
  const proposal = proposals.get(id)
  return proposal?.kind === kind && proposal.subject === loanId
}
