import { refusal } from '@pool/contract/base/refusals'
import type { Wallet } from '@pool/contract/chain/wallets'
import { type Kysely, sql } from 'kysely'
import type { MailContext } from '../../accounts/mail/send.ts'
import type { Schema } from '../../base/db/schema.ts'
import type { Actor } from '../../base/sessions/actor.ts'
import { record } from '../../records/audit/record.ts'
import { mailOwner } from './mailOwner.ts'
import { readWallet, walletOnTheWire } from './queries.ts'

/**
 * Archives the address of an assigned wallet on all of its networks. New deposits get another one,
 * and waiting ones can still be confirmed. Throws `walletNotFound` and `walletNotAssigned`.
 */
export const archive = (
  transaction: Kysely<Schema>,
  context: MailContext,
  change: Omit<Change, 'archived'>,
): Promise<Wallet> => setArchived(transaction, context, { ...change, archived: true })

/**
 * Restores an archived address on all of its networks. Throws `walletNotFound`, and
 * `ownerHasWallet` when its investor has another address on one of them.
 */
export const restoreWallet = (context: MailContext, id: string, by: Actor): Promise<Wallet> =>
  context.db
    .transaction()
    .execute((transaction) => setArchived(transaction, context, { id, by, archived: false }))

type Change = { readonly id: string; readonly by: Actor; readonly archived: boolean }

/** Records an entry for each wallet that it changes, and tells the investor by mail. */
const setArchived = async (
  transaction: Kysely<Schema>,
  context: MailContext,
  { id, by, archived }: Change,
): Promise<Wallet> => {
  const { address, ownerId } = await holdAssigned(transaction, id)
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
  if (changed.length > 0) await mailOwner(transaction, context, { ownerId, address, archived })
  await record(
    transaction,
    context.keys,
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
}

type Owned = { readonly address: string; readonly ownerId: string }

const stateOf = (wallet: { address: string; network_name: string }, archived: boolean) => ({
  address: wallet.address,
  networkName: wallet.network_name,
  archived,
})

/**
 * The wallet of an investor, whose deposit requests wait, so that none gets an archived address.
 * Throws `walletNotFound` and `walletNotAssigned`.
 */
export const holdAssigned = async (
  db: Kysely<Schema>,
  id: string,
): Promise<Owned & { readonly networkName: string; readonly isArchived: boolean }> => {
  const wallet = await db
    .selectFrom('wallets')
    .select(['address', 'network_name', 'owner_id', 'archived_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!wallet) throw refusal('walletNotFound')
  if (wallet.owner_id === null) throw refusal('walletNotAssigned')
  await sql`SELECT hold_deposits(${wallet.owner_id})`.execute(db)
  return {
    address: wallet.address,
    ownerId: wallet.owner_id,
    networkName: wallet.network_name,
    isArchived: wallet.archived_at !== null,
  }
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
