/** Changes, sent to open screens as server-sent events. */
import { z } from 'zod'
import { type Endpoint, idSchema } from './endpoint.ts'
import { dollarsSchema } from './money.ts'
import { transactionStatuses, transactionTypes } from './transactions.ts'

const moneyChangeSchema = z.object({
  noun: z.enum(['transaction', 'investment']),
  id: idSchema,
  userId: idSchema,
  type: z.enum(transactionTypes),
  /** The state that the row is in now; of an investment also ACTIVE. */
  status: z.enum([...transactionStatuses, 'ACTIVE']),
  /** The transaction's amount or the investment's principal, in dollars. */
  amount: dollarsSchema,
})

/**
 * A row that was added or got another state. Changes of wallets and users go to staff, without the
 * row; the start and the end of a pause go to everybody.
 */
export const changeSchema = z.union([
  moneyChangeSchema,
  z.object({ noun: z.enum(['wallet', 'user', 'pause']) }),
])
export type Change = z.infer<typeof changeSchema>

/** The two kinds of events: changes, and that some may have been missed: everything is stale. */
export const CHANGES_EVENT = 'changes'
export const INVALIDATE_EVENT = 'invalidate'

/** The time between two signs of life. A stream that is silent for much longer is dead. */
export const HEARTBEAT_MS = 20_000

/**
 * Answers a `text/event-stream`: `changes` with a list of them, `invalidate` with none, and a
 * comment as a sign of life. Investors receive changes of their own rows, staff everybody's in
 * batches. The stream does not prolong the session, and ends with it.
 */
export const changeStream = {
  method: 'GET',
  path: '/api/v1/changes',
  access: 'user',
  summary:
    "Follow changes as they happen, by server-sent events: one's own rows for an investor, everybody's for staff",
  streams: true,
  body: z.array(changeSchema),
} as const satisfies Endpoint
