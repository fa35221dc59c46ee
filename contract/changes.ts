/**
 * What happens while one looks: server-sent events, so that a screen need not ask again and again.
 */
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
 * A row that was added or has changed its state. Of wallets and users only staff is told, and only
 * that there was a change; that something was paused or goes on (`switch`), everybody.
 */
export const changeSchema = z.union([
  moneyChangeSchema,
  z.object({ noun: z.enum(['wallet', 'user', 'switch']) }),
])
export type Change = z.infer<typeof changeSchema>

/**
 * The two kinds of events: what changed, and that changes may have been missed, so that everything
 * shown has to be asked for again.
 */
export const CHANGES_EVENT = 'changes'
export const RELOAD_EVENT = 'reload'

/**
 * How often a stream shows that it lives, in milliseconds. One that is silent for much longer is
 * dead.
 */
export const HEARTBEAT_MS = 20_000

/**
 * Answers a `text/event-stream`: `changes` with a list of them as its data, `reload` with none, and
 * a comment as a sign of life. A client hears of its own rows, staff of everybody's, gathered. The
 * stream does not prolong the session, and ends with it.
 */
export const events = {
  method: 'GET',
  path: '/api/v1/events',
  access: 'member',
  summary:
    "Follow changes as they happen, by server-sent events: one's own rows for a client, everybody's for staff",
  streams: true,
  body: z.array(changeSchema),
} as const satisfies Endpoint
