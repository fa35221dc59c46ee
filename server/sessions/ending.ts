import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'

let last: Promise<unknown> = Promise.resolve()

/**
 * Runs a transaction that ends sessions, after the ones before it in this process. Each waits in
 * the database for the groups under way: however many users end sessions at once, one connection
 * waits.
 */
export const endingSessions = <T>(
  db: Kysely<Schema>,
  work: (transaction: Kysely<Schema>) => Promise<T>,
): Promise<T> => {
  const next = last.then(() => db.transaction().execute(work))
  last = next.catch(() => undefined)
  return next
}
