import type { Kysely } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'

/** The tables whose rows go: what lets in, and where money goes. */
const UNPROVEN = ['factors', 'recovery_codes', 'payout_addresses', 'known_devices'] as const

/**
 * Removes what an account holds whose mailbox was never proven, before it is. A stranger may have
 * registered it. Returns the factors, for the audit trail.
 */
export const removeUnproven = async (
  transaction: Kysely<Schema>,
  userId: string,
): Promise<string[]> => {
  const factors = await transaction
    .selectFrom('factors')
    .select(['kind', 'name'])
    .where('user_id', '=', userId)
    .execute()
  for (const table of UNPROVEN)
    await transaction.deleteFrom(table).where('user_id', '=', userId).execute()
  return factors.map(({ kind, name }) => `${kind} ${name}`)
}
