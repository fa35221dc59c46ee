import { z } from 'zod'
import { type Endpoint, idSchema } from '../base/endpoint.ts'
import { amountSchema, filledSchema, textSchema } from '../base/fields.ts'
import { succeeded } from '../base/messages.ts'
import { outOfOrderReason } from '../coins/withdrawalOrder.ts'
import {
  type TransactionStatus,
  type TransactionType,
  transactionStatuses,
} from './transactions.ts'

type ActionFacts = {
  readonly type: TransactionType
  readonly from: TransactionStatus
  readonly to: TransactionStatus
}

/**
 * The decisions of staff: the type that each needs, the status before it and the status after it
 * (docs/product.md 5.3).
 */
export const transactionActions = {
  confirm: { type: 'deposit', from: 'PENDING', to: 'APPROVED' },
  approve: { type: 'withdrawal', from: 'PENDING', to: 'APPROVED' },
  reject: { type: 'withdrawal', from: 'PENDING', to: 'REJECTED' },
  rejectDeposit: { type: 'deposit', from: 'PENDING', to: 'REJECTED' },
} as const satisfies Readonly<Record<string, ActionFacts>>
export type TransactionAction = keyof typeof transactionActions

/** The actions open to staff; none for an unknown type or status. */
export const actionsFor = (type: string, status: string): readonly TransactionAction[] =>
  (Object.keys(transactionActions) as TransactionAction[]).filter(
    (action) =>
      transactionActions[action].type === type && transactionActions[action].from === status,
  )

/** The reasons that are recorded when an admin gives none (docs/product.md 5.10). */
export const defaultReason = {
  reject: 'Transaction rejected by admin',
  rejectApproval: 'Approval rejected by admin',
} as const

/** The result of a decision. */
export const decidedSchema = z.object({
  transactionId: idSchema,
  status: z.enum(transactionStatuses),
  reason: z.string(),
})

const narrationOfDecision = ({ status }: { readonly status: TransactionStatus }): string =>
  status === 'PENDING' ? succeeded.firstApproval : 'OK'

export const approve = {
  method: 'POST',
  path: '/api/v1/public/transaction/approve',
  access: 'staff',
  stepUp: true,
  summary:
    'Approve a pending withdrawal of userId. Above a limit it waits for a second person. Live mode needs payeeAddress, the address that the approver was shown, and refuses one that was first named less than 24 hours ago. outOfOrderReason says why it comes before older ones, and is recorded',
  payload: z.object({
    transactionId: idSchema,
    userId: idSchema,
    payeeAddress: textSchema().optional(),
    outOfOrderReason,
  }),
  body: decidedSchema,
  narration: narrationOfDecision,
  movesMoney: true,
} as const satisfies Endpoint

export const confirm = {
  method: 'POST',
  path: '/api/v1/public/transaction/confirm',
  access: 'staff',
  stepUp: true,
  summary:
    'Confirm that a pending deposit has arrived. receivedAmount is credited if it differs from what was asked. Live mode needs evidence, the id of its transaction on the chain, with a colon and the number of the output if it pays the address twice; where the operator has a node, it must show that payment, confirmed and worth the amount. Above a limit it waits for a second person, who must name the same amount',
  payload: z.object({
    transactionId: idSchema,
    evidence: textSchema(200).optional(),
    receivedAmount: amountSchema.optional(),
  }),
  body: decidedSchema,
  narration: narrationOfDecision,
  movesMoney: true,
} as const satisfies Endpoint

// An empty reason counts as none (docs/product.md 5.10).
const reasonSchema = textSchema().optional()

const rejectById = {
  path: '/api/v1/transaction/{id}/reject',
  access: 'staff',
  summary: 'Reject a pending withdrawal',
  params: z.object({ id: idSchema }),
  payload: z.object({ reason: reasonSchema }),
  body: decidedSchema,
  movesMoney: true,
} as const

/**
 * The three ways to reject a withdrawal, in the order in which a client tries them (docs/product.md
 * 5.10).
 */
export const reject = { ...rejectById, stepUp: true, method: 'POST' } as const satisfies Endpoint

export const rejectByPayload = {
  method: 'POST',
  path: '/api/v1/transaction/reject',
  access: 'staff',
  stepUp: true,
  summary: 'Reject a pending withdrawal named in the payload',
  payload: z.object({ transactionId: idSchema, reason: reasonSchema }),
  body: decidedSchema,
  movesMoney: true,
} as const satisfies Endpoint

export const rejectByPut = {
  ...rejectById,
  stepUp: true,
  method: 'PUT',
} as const satisfies Endpoint

export const rejectDeposit = {
  ...rejectById,
  stepUp: true,
  method: 'POST',
  path: '/api/v1/transaction/{id}/reject-deposit',
  access: 'staff',
  summary: 'Reject a pending deposit, with the reason that its investor reads',
  payload: z.object({ reason: filledSchema }),
} as const satisfies Endpoint
