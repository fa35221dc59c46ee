import { timestampFromDate } from '@pool/contract/base/timestamp'
import {
  type listWallets as endpoint,
  usualStatuses,
  type Wallet,
  type WalletStatus,
} from '@pool/contract/chain/wallets'
import { type Kysely, type RawBuilder, type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { LaggingReads } from '../../base/db/replica.ts'
import type { Schema } from '../../base/db/schema.ts'
import { laggingFor } from '../../base/lists/lagging.ts'
import { given, isOneOf, list } from '../../base/lists/list.ts'
import { holds, isId } from '../../base/lists/search.ts'

type WalletRow = Selectable<Schema['wallets']> & { readonly owner: string | null }

export const walletOnTheWire = (row: WalletRow): Wallet => ({
  id: row.id,
  address: row.address,
  networkName: row.network_name,
  assigned: row.owner_id !== null,
  dateCreated: timestampFromDate(row.created_at),
  ...(row.owner !== null && { owner: row.owner }),
  ...(row.owner_id !== null && { ownerId: row.owner_id }),
  ...(row.proposal_id !== null && { waits: true as const }),
  ...(row.archived_at !== null && { dateArchived: timestampFromDate(row.archived_at) }),
})

/** Adds to wallets the emails of their owners. */
const withOwners = (wallets: SelectQueryBuilder<Schema, 'wallets', object>) =>
  wallets
    .leftJoin('users', 'users.id', 'wallets.owner_id')
    .selectAll('wallets')
    .select('users.username as owner')

/** Reads a wallet that exists. */
export const readWallet = (db: Kysely<Schema>, id: string): Promise<WalletRow> =>
  withOwners(db.selectFrom('wallets').where('wallets.id', '=', id)).executeTakeFirstOrThrow()

/** Conditions that indexes hold, so that a rare status is found at once. */
const conditions: Readonly<Record<WalletStatus, RawBuilder<unknown>>> = {
  assigned: sql`wallets.owner_id IS NOT NULL AND wallets.archived_at IS NULL`,
  available: sql`wallets.owner_id IS NULL AND wallets.proposal_id IS NULL`,
  waiting: sql`wallets.proposal_id IS NOT NULL`,
  archived: sql`wallets.archived_at IS NOT NULL`,
}

export const listWallets = (
  db: Kysely<Schema>,
  request: z.infer<typeof endpoint.query>,
  lagging?: LaggingReads,
) => {
  const statuses = request.status ?? usualStatuses
  return list({
    db,
    lagging: laggingFor(lagging, request, 'mixed'),
    request,
    table: 'wallets',
    sorts: { createdAt: { by: sql`wallets.created_at`, type: 'timestamptz' } },
    matching: db
      .selectFrom('wallets')
      .where(
        sql<boolean>`(${sql.join(
          statuses.map((status) => conditions[status]),
          sql` OR `,
        )})`,
      )
      .where(given(request.network, (network) => isOneOf('network_name', network)))
      .where(
        given(
          request.search,
          (search) =>
            sql`(${holds(sql`address`, search)} OR ${holds(sql`network_name`, search)} OR ${isId('wallets.id', search)})`,
        ),
      ),
    tally:
      request.search === undefined
        ? { noun: 'wallets', kinds: request.network, statuses }
        : undefined,
    present: withOwners,
    onTheWire: walletOnTheWire,
  })
}
