/** Changes, sent to open screens as server-sent events. */
import { z } from 'zod'
import { transactionStatuses, transactionTypes } from '../requests/transactions.ts'
import { type Endpoint, idSchema } from './endpoint.ts'
import { dollarsSchema } from './money.ts'

const moneyChangeSchema = z.object({
  noun: z.enum(['transaction', 'investment']),
  id: idSchema,
  userId: idSchema,
  type: z.enum(transactionTypes),
  /** The row's present status; an investment can also be ACTIVE. */
  status: z.enum([...transactionStatuses, 'ACTIVE']),
  /** The transaction's amount or the investment's principal, in dollars. */
  amount: dollarsSchema,
})

/**
 * A row that was added or got another status. Staff learn of all nouns, everybody of pauses, and
 * users of their own payments, claims and sessions.
 */
export const changeSchema = z.union([
  moneyChangeSchema,
  z.object({
    noun: z.enum([
      'wallet',
      'user',
      'pause',
      'session',
      'notice',
      'payment',
      'claim',
      'reconciliation',
      'batch',
      'loan',
    ]),
  }),
])
export type Change = z.infer<typeof changeSchema>

/** A list of changes, or the notice that some may have been missed. */
export const CHANGES_EVENT = 'changes'
export const INVALIDATE_EVENT = 'invalidate'

/** The time between two signs of life. A much longer silence means a dead stream. */
export const HEARTBEAT_MS = 20_000

/**
 * Answers a `text/event-stream`. Investors receive changes of their own rows, staff receive all in
 * batches. The stream does not prolong its session.
 */
export const changeStream = {
  method: 'GET',
  path: '/api/v1/changes',
  access: 'user',
  summary:
    'Follow changes by server-sent events. An investor gets those of their own rows, staff get all',
  streams: true,
  body: z.array(changeSchema),
} as const satisfies Endpoint
