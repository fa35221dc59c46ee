import { refusal } from '@pool/contract/refusals'
import { type Kysely, sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Schema } from '../db/schema.ts'
import type { Keys } from '../keys/keys.ts'
import type { Actor } from '../sessions/actor.ts'
import { mayAct } from '../sessions/sessions.ts'
import { type Entry, signEntry } from './entry.ts'

/** What a verb needs that puts something on record. */
export type OnRecord = Pick<Context, 'db' | 'keys'>

/** The source of what the operator does on the machine itself. */
export const FROM_OPERATOR = 'operator'

/** The product's own background work. */
export const SYSTEM: Actor = { name: 'system', from: 'job' }

/**
 * Puts acts on record, signed, inside the transaction that carries them out. Looks there once more
 * at the sessions of their actors, and keeps them from ending before the commit. Throws
 * `unauthenticated` when one has ended. `post_operations` does the same for decisions about money.
 */
export const record = async (
  transaction: Kysely<Schema>,
  keys: Keys,
  ...entries: readonly Entry[]
): Promise<void> => {
  for (const { by } of entries)
    if (by.session !== undefined && !(await mayAct(transaction, by.session)))
      throw refusal('unauthenticated')
  const rows = entries.map((entry) => signEntry(keys, entry))
  await sql`SELECT write_entries(${JSON.stringify(rows)}::jsonb)`.execute(transaction)
}
