/** Loans that are not repaid as agreed (docs/product.md 5.28). */
import { z } from 'zod'
import { type Endpoint, idSchema } from '../base/endpoint.ts'
import { amountSchema, filledSchema, textSchema } from '../base/fields.ts'
import * as validation from '../base/validation.ts'
import { dateSchema, termsShape } from './loanTerms.ts'

const LOANS = '/api/v1/admin/loans'
const params = z.object({ id: idSchema })
const asked = z.object({ proposalId: idSchema })
const reason = textSchema().min(1, validation.reasonRequired)

export const askDefault = {
  method: 'POST',
  path: `${LOANS}/{id}/default`,
  access: 'staff',
  stepUp: true,
  summary:
    'Say why a borrower is unlikely to pay, as the first of two people. The loan is in default once a second one agrees, and its interest stops',
  params,
  payload: z.object({ reason }),
  narration: 'Asked for. The loan is in default once another member of staff agrees.',
  body: asked,
} as const satisfies Endpoint

export const askLoanWriteOff = {
  method: 'POST',
  path: `${LOANS}/{id}/write-off`,
  access: 'superAdmin',
  stepUp: true,
  summary:
    'Ask to write off what a loan in default owes. Once a second super admin approves, the operator’s capital bears its part, and the free reserve that of investors’ principal. What the reserve does not reach is an open loss, which pauses investing and withdrawals',
  params,
  payload: z.object({
    reason,
    /** The outstanding principal, as it was shown. */
    amount: amountSchema,
  }),
  narration: 'Asked for. It is written off once a second super admin approves it.',
  body: asked,
} as const satisfies Endpoint

export const askRecovery = {
  method: 'POST',
  path: `${LOANS}/{id}/recoveries`,
  access: 'staff',
  stepUp: true,
  summary:
    'Say what came back of a loan that was written off, up to what was, as the first of two people. Once a second one agrees it goes first to those who bore the loss, and the rest to the reserve',
  params,
  payload: z.object({ amount: amountSchema, valueOn: dateSchema, reference: filledSchema }),
  narration: 'Asked for. It is recorded once another member of staff agrees.',
  body: asked,
} as const satisfies Endpoint

const { amount: _, disburseOn: __, ...newTerms } = termsShape

export const askRestructuring = {
  method: 'POST',
  path: `${LOANS}/{id}/restructure`,
  access: 'staff',
  stepUp: true,
  summary:
    'Ask for new terms of an active loan, as the first of two people. They begin on the day on which a second one agrees; the old schedule is kept',
  params,
  payload: z.object({
    reason,
    /** True where the borrower could not have kept the old terms. */
    isDistressed: z.boolean(),
    ...newTerms,
  }),
  narration: 'Asked for. The new terms begin once another member of staff agrees.',
  body: asked,
} as const satisfies Endpoint
