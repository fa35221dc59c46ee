import { z } from 'zod'
import { type Endpoint, idSchema } from '../base/endpoint.ts'
import { filledSchema, textSchema } from '../base/fields.ts'
import { outOfOrderReason } from './withdrawalOrder.ts'

/** An approved withdrawal is sent (PROCESSING), then completed. */
export const markSent = {
  method: 'POST',
  path: '/api/v1/transaction/{id}/sent',
  access: 'staff',
  stepUp: true,
  summary:
    'Mark an approved withdrawal as sent, with the id of its transaction on the chain, and a colon and the number of the output if it pays the address twice. The same mark again changes nothing. outOfOrderReason says why it comes before older ones, and is recorded',
  params: z.object({ id: idSchema }),
  payload: z.object({ networkName: filledSchema, evidence: textSchema(200), outOfOrderReason }),
  body: z.object({ transactionId: idSchema, status: z.enum(['PROCESSING', 'COMPLETED']) }),
} as const satisfies Endpoint

export const markCompleted = {
  method: 'POST',
  path: '/api/v1/transaction/{id}/completed',
  access: 'staff',
  stepUp: true,
  summary:
    'Mark a sent withdrawal as completed. The same mark again changes nothing. Above what one person decides alone, and on a network that a node follows, it waits for a second person; the product completes by itself what its node shows',
  params: z.object({ id: idSchema }),
  narration: ({ proposalId }: { proposalId: string | null }) =>
    proposalId === null
      ? 'Marked as completed.'
      : 'Asked for. It is completed once another member of staff approves it, or the node shows the payment.',
  body: z.object({
    transactionId: idSchema,
    status: z.enum(['PROCESSING', 'COMPLETED']),
    /** The proposal that a second person approves. Null where one person suffices. */
    proposalId: idSchema.nullable(),
  }),
} as const satisfies Endpoint
