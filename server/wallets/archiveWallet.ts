import { refusal } from '@pool/contract/refusals'
import type { Wallet } from '@pool/contract/wallets'
import { type Kysely, sql } from 'kysely'
import { type OnRecord, record } from '../audit/record.ts'
import type { Schema } from '../db/schema.ts'
import type { Actor } from '../sessions/actor.ts'
import { readWallet, walletOnTheWire } from './queries.ts'

/**
 * Archives the address of an assigned wallet on all of its networks. New deposits get another one,
 * and waiting ones can still be confirmed. Throws `walletNotFound` and `walletNotAssigned`.
 */
export const archiveWallet = (context: OnRecord, id: string, by: Actor): Promise<Wallet> =>
  change(context, { id, by, archived: true })

/**
 * Restores an archived address on all of its networks. Throws `walletNotFound`, and
 * `ownerHasWallet` when its investor has another address on one of them.
 */
export const restoreWallet = (context: OnRecord, id: string, by: Actor): Promise<Wallet> =>
  change(context, { id, by, archived: false })

type Change = { readonly id: string; readonly by: Actor; readonly archived: boolean }

/** Records an entry for each wallet that it changes. */
const change = ({ db, keys }: OnRecord, { id, by, archived }: Change): Promise<Wallet> =>
  db.transaction().execute(async (transaction) => {
    const { address, ownerId } = await hold(transaction, id)
    if (!archived) await refuseSecond(transaction, { address, ownerId })
    const changed = await transaction
      .updateTable('wallets')
      .set({
        archived_at: archived ? sql<Date>`clock_timestamp()` : null,
        updated_at: sql<Date>`now()`,
      })
      .where(sql<boolean>`lower(address) = lower(${address})`)
      .where('archived_at', archived ? 'is' : 'is not', null)
      .returning(['id', 'address', 'network_name'])
      .execute()
    await record(
      transaction,
      keys,
      ...changed.map((wallet) => ({
        by,
        action: archived ? ('wallet.archived' as const) : ('wallet.restored' as const),
        subject: { type: 'wallet' as const, id: wallet.id },
        ownerId,
        before: stateOf(wallet, !archived),
        after: stateOf(wallet, archived),
      })),
    )
    return walletOnTheWire(await readWallet(transaction, id))
  })

type Owned = { readonly address: string; readonly ownerId: string }

const stateOf = (wallet: { address: string; network_name: string }, archived: boolean) => ({
  address: wallet.address,
  networkName: wallet.network_name,
  archived,
})

/** Keeps the investor's deposit requests waiting, so that none gets an archived address. */
const hold = async (db: Kysely<Schema>, id: string): Promise<Owned> => {
  const wallet = await db
    .selectFrom('wallets')
    .select(['address', 'owner_id'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!wallet) throw refusal('walletNotFound')
  if (wallet.owner_id === null) throw refusal('walletNotAssigned')
  await sql`SELECT hold_deposits(${wallet.owner_id})`.execute(db)
  return { address: wallet.address, ownerId: wallet.owner_id }
}

/** Throws `ownerHasWallet` when the investor uses another address on a network of this one. */
const refuseSecond = async (db: Kysely<Schema>, { address, ownerId }: Owned): Promise<void> => {
  const { rows } = await sql<{ network: string }>`
    SELECT own.network_name AS network FROM wallets AS own
    JOIN wallets AS archived ON archived.network_name = own.network_name AND archived.archived_at IS NOT NULL
    WHERE own.owner_id = ${ownerId} AND own.archived_at IS NULL AND lower(archived.address) = lower(${address})
    ORDER BY 1 LIMIT 1`.execute(db)
  const [second] = rows
  if (second) throw refusal('ownerHasWallet', second)
}
