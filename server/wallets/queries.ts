import { timestampFromDate } from '@pool/contract/timestamp'
import type { listWallets as endpoint, Wallet } from '@pool/contract/wallets'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { z } from 'zod'
import type { Schema } from '../db/schema.ts'
import { given, isOneOf, list } from '../lists/list.ts'
import { holds, isId } from '../lists/search.ts'

export const walletOnTheWire = (row: Selectable<Schema['wallets']>): Wallet => ({
  id: row.id,
  address: row.address,
  networkName: row.network_name,
  assigned: row.owner_id !== null,
  dateCreated: timestampFromDate(row.created_at),
})

export const listWallets = (db: Kysely<Schema>, request: z.infer<typeof endpoint.query>) =>
  list({
    db,
    request,
    table: 'wallets',
    sorts: { createdAt: { by: sql`wallets.created_at`, type: 'timestamptz' } },
    matching: db
      .selectFrom('wallets')
      .where(
        given(
          request.status,
          (status) =>
            sql`((owner_id IS NULL AND ${status.includes('available')}) OR (owner_id IS NOT NULL AND ${status.includes('assigned')}))`,
        ),
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
        ? { noun: 'wallets', kinds: request.network, statuses: request.status }
        : undefined,
    present: (matching) => matching.selectAll(),
    onTheWire: walletOnTheWire,
  })
