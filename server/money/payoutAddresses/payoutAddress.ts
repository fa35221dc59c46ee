import { timestampFromDate } from '@pool/contract/base/timestamp'
import type { PayoutAddress } from '@pool/contract/money/payoutAddresses'
import { type Kysely, type Selectable, sql } from 'kysely'
import { requireAddress } from '../../base/chains/networks.ts'
import { newId } from '../../base/db/ids.ts'
import type { Schema } from '../../base/db/schema.ts'
import type { Actor } from '../../base/sessions/actor.ts'
import { requireThawed } from '../../base/sessions/frozen.ts'
import type { WithConfig } from '../../http/context.ts'
import { type OnRecord, record } from '../../records/audit/record.ts'
import { firstNamed, waitHours } from './firstNamed.ts'
import { refusePoolWallet } from './poolWallets.ts'

type PayoutAddressRow = Selectable<Schema['payout_addresses']>

const onTheWire = (row: PayoutAddressRow | undefined) =>
  row === undefined
    ? null
    : {
        address: row.address,
        networkName: row.network_name,
        label: row.label,
        savedAt: timestampFromDate(row.created_at),
        usableFrom: timestampFromDate(row.usable_from),
      }

/** Finds the payout address in use, and the newest one while it waits. */
export const findPayoutAddress = async (
  db: Kysely<Schema>,
  userId: string,
): Promise<PayoutAddress> => {
  const newest = (usable: boolean) =>
    db
      .selectFrom('payout_addresses')
      .selectAll()
      .where('user_id', '=', userId)
      .where(sql<boolean>`(usable_from <= now()) = ${usable}`)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
  const [current, next] = await Promise.all([newest(true), newest(false)])
  return { current: onTheWire(current), next: onTheWire(next) }
}

type Saved = {
  readonly userId: string
  readonly address: string
  readonly networkName: string
  /** The owner's own name for it. */
  readonly label?: string | undefined
  readonly by: Actor
}

/**
 * Saves a payout address. In live mode the old one serves until 24 hours after the new one was
 * named. Throws `accountFrozen`, `poolWallet`, and as {@link requireAddress} does.
 */
export const savePayoutAddress = async (
  { config, db, keys }: OnRecord & WithConfig,
  { userId, address, networkName, label: typed, by }: Saved,
) => {
  const network_name = requireAddress({
    address,
    networkName,
    mode: config.poolMode,
    field: 'address',
  })
  await refusePoolWallet(db, address, 'address')
  const label = typed || null
  const known = sql`coalesce(${firstNamed(sql`${userId}::uuid`, sql`${address}::text`)}, now())`
  const usable_from = sql<Date>`greatest(now(), ${known} + make_interval(hours => ${waitHours(config.poolMode)}))`
  await db.transaction().execute(async (transaction) => {
    await requireThawed(transaction, userId)
    await transaction
      .insertInto('payout_addresses')
      .values({ id: newId(), user_id: userId, address, network_name, usable_from, label })
      .execute()
    const after = { address, networkName: network_name, ...(label !== null && { label }) }
    await record(transaction, keys, {
      by,
      action: 'payout.saved',
      subject: { type: 'user', id: userId },
      ownerId: userId,
      after,
    })
  })
  return findPayoutAddress(db, userId)
}
