/** The withdrawals that a batch may pay. */
import type { BatchLeftOut } from '@pool/contract/batches'
import { type Cents, cents } from '@pool/contract/money'
import type { NetworkName } from '@pool/contract/networks'
import { refusal } from '@pool/contract/refusals'
import { type Kysely, sql } from 'kysely'
import { networksOf } from '../chains/networks.ts'
import type { Config } from '../config.ts'
import type { Schema } from '../db/schema.ts'

/** True of a withdrawal `t` whose owner `u` has frozen the account, is suspended or owes. */
const IS_HELD = sql<boolean>`(u.frozen_at IS NOT NULL OR u.suspended_at IS NOT NULL
  OR EXISTS (SELECT FROM claims AS c WHERE c.user_id = t.user_id AND c.open > 0))`

/**
 * Throws `batchLeavesOut` where an owner's account was frozen, suspended or came to owe after the
 * batch was made: its file must not be signed any more.
 */
export const requireUnheld = async (db: Kysely<Schema>, batchId: string): Promise<void> => {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM batch_payouts AS p JOIN transactions AS t ON t.id = p.withdrawal_id
      JOIN users AS u ON u.id = t.user_id
    WHERE p.batch_id = ${batchId} AND ${IS_HELD}`.execute(db)
  const count = rows[0]?.count ?? 0
  if (count > 0) throw refusal('batchLeavesOut', { count })
}

export type Candidate = {
  readonly id: string
  readonly address: string
  readonly amount: Cents
}

export type Candidates = {
  readonly payable: readonly Candidate[]
  readonly leftOut: readonly { readonly withdrawalId: string; readonly why: BatchLeftOut }[]
}

type Row = {
  readonly id: string
  readonly ownerId: string
  readonly status: string
  readonly outgoing: boolean
  readonly amount: bigint
  readonly network: string
  readonly address: string | null
  readonly batched: boolean
  readonly agreed: boolean
  readonly frozen: boolean
}

type Asked = {
  readonly ids: readonly string[]
  readonly network: NetworkName
  /** The member of staff who makes the batch. */
  readonly by: string
}

/** Sorts withdrawals into those that can be paid on a network, and the others with the reason. */
export const readCandidates = async (
  db: Kysely<Schema>,
  { poolMode }: Pick<Config, 'poolMode'>,
  { ids, network, by }: Asked,
): Promise<Candidates> => {
  const { rows } = await sql<Row>`
    SELECT t.id, t.user_id AS "ownerId", t.status, t.outgoing, t.amount, t.destination_network AS network, t.payee_address AS address,
      EXISTS (SELECT FROM batch_payouts AS p WHERE p.withdrawal_id = t.id AND p.is_open) AS batched,
      EXISTS (SELECT FROM proposals AS p WHERE p.kind = 'RETURN_WITHDRAWAL' AND p.subject = t.id::text AND p.status = 'DONE') AS agreed,
      ${IS_HELD} AS frozen
    FROM transactions AS t JOIN users AS u ON u.id = t.user_id
    WHERE t.id = ANY (${ids}::uuid[]) AND t.type = 'withdrawal'`.execute(db)
  const found = new Map(rows.map((row) => [row.id, row]))
  const payable: Candidate[] = []
  const leftOut: { withdrawalId: string; why: BatchLeftOut }[] = []
  for (const id of new Set(ids)) {
    const row = found.get(id)
    const why = row ? problemOf(row, { network, by, poolMode }) : 'notToSend'
    if (why) leftOut.push({ withdrawalId: id, why })
    else if (row?.address) payable.push({ id, address: row.address, amount: cents(row.amount) })
  }
  return { payable, leftOut }
}

type Wanted = Pick<Asked, 'network' | 'by'> & Pick<Config, 'poolMode'>

const problemOf = (row: Row, { network, by, poolMode }: Wanted): BatchLeftOut | undefined => {
  const { ownerId, status, outgoing, address, batched, agreed, frozen } = row
  if (batched) return 'inBatch'
  if (agreed) return 'returned'
  if (status !== 'APPROVED' || !outgoing) return 'notToSend'
  if (ownerId === by) return 'own'
  if (frozen) return 'frozen'
  const possible = networksOf(address ?? '', poolMode)
  if (possible.length === 0) return 'noAddress'
  // An address of several networks, without a named one, is no order to pay on this one.
  const meant = row.network || (possible.length === 1 ? possible[0] : '')
  return meant === network && possible.some((name) => name === network) ? undefined : 'otherNetwork'
}
