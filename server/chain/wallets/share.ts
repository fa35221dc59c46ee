import type { WalletStatus } from '@pool/contract/chain/wallets'
import type { AuditAction } from '@pool/contract/reports/audit'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { tallied } from '../../base/lists/tallies.ts'
import { shareLock, takeLock } from '../../base/locks.ts'

/** Removals, each with the stock that it takes from. */
const removals = {
  delete: { action: 'wallet.deleted', from: 'available' },
  archive: { action: 'wallet.archived', from: 'assigned' },
} as const satisfies Readonly<Record<string, { action: AuditAction; from: WalletStatus }>>

/**
 * True when one more removal needs a second person: above a tenth of the stock within 24 hours, by
 * all staff together. One is always allowed. Removals come one at a time from here on.
 */
export const isAboveShare = async (
  transaction: Kysely<Schema>,
  removal: keyof typeof removals,
): Promise<boolean> => {
  const { action, from } = removals[removal]
  await shareLock(transaction, 'groups')
  await takeLock(transaction, 'owners')
  const { rows } = await sql<{ above: boolean }>`
    SELECT gone + 1 > greatest(1, (gone + stock) / 10) AS above FROM (
      SELECT ${tallied('rows', { noun: 'wallets', statuses: [from] })} AS stock,
        (SELECT count(*) FROM audit_entries WHERE action = ${action} AND created_at > now() - interval '24 hours') AS gone
    ) AS counted`.execute(transaction)
  return rows[0]?.above === true
}
