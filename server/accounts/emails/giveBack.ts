import type { Kysely } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { Keys } from '../../base/keys/keys.ts'
import { addLink } from '../links/links.ts'

/** A user with the address that an account had, or has until a change is confirmed. */
type Old = {
  readonly userId: string
  readonly username: string
  readonly email_confirmed_at: Date | null
}

/**
 * Adds a link that freezes an account and gives it this address back. The address is kept from
 * other accounts if it was proven: a stranger may have registered the address of another person.
 */
export const addGiveBack = (
  transaction: Kysely<Schema>,
  keys: Keys,
  { userId, username: address, email_confirmed_at: provenAt }: Old,
) => addLink(transaction, keys, { kind: provenAt ? 'GIVE_BACK' : 'FREEZE', userId, address })
