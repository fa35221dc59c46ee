/** Addresses that wait for a second member of staff (docs/decisions/040). */
import { createHash } from 'node:crypto'
import type { NetworkName } from '@pool/contract/base/networks'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { takeLock } from '../../base/locks.ts'

/** Identifies a list on record: its ends, and the SHA-256 of its lines. */
export const summaryOf = (addresses: readonly string[]) => ({
  first: addresses[0] ?? '',
  last: addresses.at(-1) ?? '',
  sha256: createHash('sha256').update(addresses.join('\n')).digest('hex'),
})

/** Added addresses of a network without an owner, in their order. */
export type Added = { readonly network: NetworkName; readonly addresses: readonly string[] }

/** Asks a second person to compare what was added, in the same transaction. */
export type Waits = {
  readonly proposalId: string
  readonly ask: (transaction: Kysely<Schema>, added: Added) => Promise<void>
}

/** The addresses that wait for a proposal, in the order in which they were added. */
export const addressesOf = async (db: Kysely<Schema>, proposalId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('wallets')
    .select('address')
    .where('proposal_id', '=', proposalId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(({ address }) => address)
}

/** Lets the addresses of a proposal be given to investors from now on. */
export const countAddresses = async (
  transaction: Kysely<Schema>,
  proposalId: string,
): Promise<void> => {
  // As each change of owners, it comes one at a time.
  await takeLock(transaction, 'owners')
  await transaction
    .updateTable('wallets')
    .set({ proposal_id: null, updated_at: sql<Date>`now()` })
    .where('proposal_id', '=', proposalId)
    .execute()
}

/** Removes the addresses of a proposal. No investor has seen them. */
export const dropAddresses = async (
  transaction: Kysely<Schema>,
  proposalId: string,
): Promise<void> => {
  await transaction.deleteFrom('wallets').where('proposal_id', '=', proposalId).execute()
}
