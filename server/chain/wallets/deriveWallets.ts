import type { NetworkName } from '@pool/contract/base/networks'
import { ADDRESSES_AHEAD } from '@pool/contract/chain/addressKeys'
import { type Kysely, sql } from 'kysely'
import { accountKeyOf } from '../../base/chains/accountKeys.ts'
import { violatedConstraint } from '../../base/db/errors.ts'
import { newId } from '../../base/db/ids.ts'
import type { Schema } from '../../base/db/schema.ts'
import { shareLock, takeLock } from '../../base/locks.ts'
import type { WithConfig } from '../../http/context.ts'
import { type OnRecord, record, SYSTEM } from '../../records/audit/record.ts'

type DerivingContext = OnRecord & WithConfig

/** The most addresses that one run derives of a key: a tenth of a second. */
const MOST = 200

/**
 * Derives wallets from the keys in force, of a network or of all, until {@link ADDRESSES_AHEAD} are
 * available. Returns the number of new ones. Runs at the same time derive each address once.
 */
export const deriveWallets = async (
  context: DerivingContext,
  network?: NetworkName,
): Promise<number> => {
  const keys = await context.db
    .selectFrom('address_keys')
    .select('id')
    .where('ended_at', 'is', null)
    .$if(network !== undefined, (query) => query.where('network_name', '=', network ?? ''))
    .execute()
  let derived = 0
  for (const { id } of keys)
    derived += await context.db
      .transaction()
      .execute((transaction) => derive(transaction, context, id))
      .catch((error: unknown) => {
        // Staff added one of the addresses at this moment. The next run goes on.
        if (/^wallets_/.test(violatedConstraint(error) ?? '')) return 0
        throw error
      })
  return derived
}

/**
 * Derives wallets for who asks while none is available, of a network or of any. True while a key in
 * force gives more, also to another run at this moment.
 */
export const deriveWhenAsked = async (
  context: DerivingContext,
  network?: NetworkName,
): Promise<boolean> => {
  const key = await context.db
    .selectFrom('address_keys')
    .select('id')
    .where('ended_at', 'is', null)
    .$if(network !== undefined, (query) => query.where('network_name', '=', network ?? ''))
    .executeTakeFirst()
  if (!key) return false
  await deriveWallets(context, network)
  return true
}

const derive = async (
  transaction: Kysely<Schema>,
  { config, keys }: DerivingContext,
  id: string,
): Promise<number> => {
  // In this order for every change of a key, so that two never wait for each other.
  await shareLock(transaction, 'groups')
  const key = await transaction
    .selectFrom('address_keys')
    .select(['network_name', 'key', 'next_index'])
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    // A transaction that began earlier would give later numbers an earlier age.
    .where(sql<boolean>`(derived_at IS NULL OR derived_at < now())`)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!key) return 0
  const missing = ADDRESSES_AHEAD - (await countAhead(transaction, id))
  if (missing <= 0) return 0
  const network = key.network_name as NetworkName
  const { addressAt } = accountKeyOf(network, key.key, config.poolMode)
  const found: NumberedAddress[] = []
  let next = key.next_index
  while (found.length < missing && next < key.next_index + MOST) {
    const numbered = Array.from({ length: missing - found.length }, (_, at) => ({
      index: next + at,
      address: addressAt(next + at),
    }))
    next += numbered.length
    found.push(...(await untaken(transaction, network, numbered)))
  }
  await insert(transaction, { id, network }, found)
  await transaction
    .updateTable('address_keys')
    .set({ next_index: next, derived_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
  if (found.length > 0)
    await record(transaction, keys, {
      by: SYSTEM,
      action: 'wallet.derived',
      subject: { type: 'wallet', id },
      after: {
        networkName: network,
        count: found.length,
        first: found[0]?.index,
        last: found.at(-1)?.index,
      },
    })
  return found.length
}

type NumberedAddress = { readonly index: number; readonly address: string }

const countAhead = async (db: Kysely<Schema>, id: string): Promise<number> => {
  const { rows } = await sql<{ ahead: number }>`
    SELECT count(*)::integer AS ahead FROM wallets WHERE key_id = ${id} AND owner_id IS NULL`.execute(
    db,
  )
  return rows[0]?.ahead ?? 0
}

/** Those without a wallet of the network, and without an owner who has another one there. */
const untaken = async (
  db: Kysely<Schema>,
  network: NetworkName,
  numbered: readonly NumberedAddress[],
): Promise<NumberedAddress[]> => {
  // As each change of owners, it comes one at a time.
  await takeLock(db, 'owners')
  const { rows } = await sql<{ address: string }>`
    SELECT address FROM unnest(${numbered.map(({ address }) => address)}::text[]) AS listed (address)
    WHERE EXISTS (SELECT FROM wallets AS same WHERE lower(same.address) = lower(listed.address) AND (same.network_name = ${network}
      OR EXISTS (SELECT FROM wallets AS own WHERE own.owner_id = same.owner_id AND own.archived_at IS NULL AND own.network_name = ${network})))`.execute(
    db,
  )
  const taken = new Set(rows.map(({ address }) => address))
  return numbered.filter(({ address }) => !taken.has(address))
}

const insert = async (
  db: Kysely<Schema>,
  { id, network }: { readonly id: string; readonly network: NetworkName },
  found: readonly NumberedAddress[],
): Promise<void> => {
  if (found.length === 0) return
  await db
    .insertInto('wallets')
    .values(
      found.map(({ index, address }) => ({
        id: newId(),
        address,
        network_name: network,
        key_id: id,
        derivation_index: index,
      })),
    )
    .execute()
}
