import { refusal } from '@pool/contract/base/refusals'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { Keys } from '../../base/keys/keys.ts'
import type { Actor } from '../../base/sessions/actor.ts'
import { mayAct } from '../../base/sessions/sessions.ts'
import type { WithDb, WithKeys } from '../../http/context.ts'
import { type Entry, signEntry } from './entry.ts'

/** The context of a verb that records. */
export type OnRecord = WithDb & WithKeys

/** The source of what the operator does on the machine. */
export const FROM_OPERATOR = 'operator'

/** The product's background work. */
export const SYSTEM: Actor = { name: 'system', from: 'job' }

/**
 * Records signed entries in the transaction of the act. Keeps the actors' sessions alive until the
 * commit. Throws `unauthenticated` if one has ended.
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
