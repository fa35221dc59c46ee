import { z } from 'zod'
import { type Endpoint, idSchema } from './endpoint.ts'
import { filledSchema, textSchema } from './fields.ts'
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
  summary: 'Mark a sent withdrawal as completed. The same mark again changes nothing',
  params: z.object({ id: idSchema }),
  body: z.object({ transactionId: idSchema, status: z.literal('COMPLETED') }),
} as const satisfies Endpoint
