import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'

let last: Promise<unknown> = Promise.resolve()

/**
 * Runs transactions that end sessions one after the other in this process. Each waits for open
 * groups, so that together they hold one connection.
 */
export const endingSessions = <T>(
  db: Kysely<Schema>,
  work: (transaction: Kysely<Schema>) => Promise<T>,
): Promise<T> => {
  const next = last.then(() => db.transaction().execute(work))
  last = next.catch(() => undefined)
  return next
}
