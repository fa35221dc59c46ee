/** Watch-only keys from which deposit addresses are derived (docs/decisions/044). */
import type { NetworkName } from '@pool/contract/base/networks'
import { refusal } from '@pool/contract/base/refusals'
import { timestampFromDate } from '@pool/contract/base/timestamp'
import type { AddressKey } from '@pool/contract/chain/addressKeys'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { violatedConstraint } from '../../base/db/errors.ts'
import { newId } from '../../base/db/ids.ts'
import type { Schema } from '../../base/db/schema.ts'
import type { Keys } from '../../base/keys/keys.ts'
import { shareLock, takeLock } from '../../base/locks.ts'
import type { Actor } from '../../base/sessions/actor.ts'
import { record } from '../../records/audit/record.ts'

type Added = {
  readonly network: NetworkName
  readonly text: string
  readonly fingerprint: string | null
  /** The id of the person who asked for it. */
  readonly addedBy: string
  readonly by: Actor
}

/** Puts a key in force. Throws `networkHasKey`. */
export const insertKey = async (
  transaction: Kysely<Schema>,
  keys: Keys,
  { network, text, fingerprint, addedBy, by }: Added,
): Promise<void> => {
  const id = newId()
  await requireNoKey(transaction, network)
  await transaction
    .insertInto('address_keys')
    .values({
      id,
      network_name: network,
      key: text,
      fingerprint,
      added_by: addedBy,
      // A key that comes back goes on after the last address that an investor has.
      next_index: sql<number>`coalesce((
        SELECT max(next_index) FROM address_keys WHERE network_name = ${network} AND key = ${text}), 0)`,
    })
    .execute()
    .catch((error: unknown) => {
      throw violatedConstraint(error) === 'address_keys_one_per_network'
        ? refusal('networkHasKey', { network })
        : error
    })
  await record(transaction, keys, {
    by,
    action: 'wallet.keyAdded',
    subject: { type: 'wallet', id },
    after: { networkName: network, key: text, fingerprint },
  })
}

/** Throws `networkHasKey` while one is in force. */
export const requireNoKey = async (db: Kysely<Schema>, network: NetworkName): Promise<void> => {
  const key = await db
    .selectFrom('address_keys')
    .select('id')
    .where('network_name', '=', network)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  if (key) throw refusal('networkHasKey', { network })
}

/** A key in force. Throws `keyNotFound`. */
export const requireKey = async (db: Kysely<Schema>, id: string) => {
  const key = await db
    .selectFrom('address_keys')
    .select(['network_name', 'key', 'fingerprint'])
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  if (!key) throw refusal('keyNotFound')
  return key
}

/**
 * Ends a key, and deletes its addresses that no investor has. Those of investors stay. Throws
 * `keyNotFound`.
 */
export const endKey = async (
  transaction: Kysely<Schema>,
  keys: Keys,
  { id, by }: { readonly id: string; readonly by: Actor },
): Promise<void> => {
  // In this order for every change of a key, so that two never wait for each other.
  await shareLock(transaction, 'groups')
  const ended = await transaction
    .updateTable('address_keys')
    .set({ ended_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .returning(['network_name', 'key', 'fingerprint'])
    .executeTakeFirst()
  if (!ended) throw refusal('keyNotFound')
  // No investor gets one of its addresses meanwhile.
  await takeLock(transaction, 'owners')
  const deleted = await transaction
    .deleteFrom('wallets')
    .where('key_id', '=', id)
    .where('owner_id', 'is', null)
    .returning('id')
    .execute()
  await transaction
    .updateTable('address_keys')
    .set({
      next_index: sql<number>`coalesce((SELECT max(derivation_index) + 1 FROM wallets WHERE key_id = ${id}), 0)`,
    })
    .where('id', '=', id)
    .execute()
  await record(transaction, keys, {
    by,
    action: 'wallet.keyEnded',
    subject: { type: 'wallet', id },
    before: { networkName: ended.network_name, key: ended.key, fingerprint: ended.fingerprint },
    after: { deleted: deleted.length },
  })
}

/** Addresses of a key given since the last one with a confirmed deposit. Null without a key. */
export const unpaidOf = (
  keyId: RawBuilder<unknown>,
): RawBuilder<number> => sql`CASE WHEN ${keyId} IS NOT NULL THEN (
  SELECT count(*)::integer FROM wallets WHERE key_id = ${keyId} AND owner_id IS NOT NULL AND derivation_index > coalesce((
    SELECT derivation_index FROM wallets AS paid WHERE paid.key_id = ${keyId} AND paid.owner_id IS NOT NULL AND EXISTS (
      SELECT FROM transactions AS t
      WHERE t.user_id = paid.owner_id AND t.wallet_id = paid.id AND t.type = 'deposit' AND t.status = 'APPROVED')
    ORDER BY derivation_index DESC LIMIT 1), -1)) END`

/** The keys in force, by network. */
export const listKeys = async (db: Kysely<Schema>): Promise<AddressKey[]> => {
  const { rows } = await sql<{
    id: string
    network_name: string
    key: string
    fingerprint: string | null
    next_index: number
    created_at: Date
    added_by: string
    ahead: number
    unpaid: number
  }>`
    SELECT k.id, k.network_name, k.key, k.fingerprint, k.next_index, k.created_at, u.username AS added_by,
      (SELECT count(*)::integer FROM wallets WHERE key_id = k.id AND owner_id IS NULL) AS ahead,
      ${unpaidOf(sql`k.id`)} AS unpaid
    FROM address_keys AS k JOIN users AS u ON u.id = k.added_by
    WHERE k.ended_at IS NULL ORDER BY k.network_name`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    networkName: row.network_name,
    key: row.key,
    fingerprint: row.fingerprint,
    nextIndex: row.next_index,
    ahead: row.ahead,
    unpaid: row.unpaid,
    addedBy: row.added_by,
    dateCreated: timestampFromDate(row.created_at),
  }))
}
