/** Signed files that staff give back: compared with their batch, and sent by the node. */
import type { ComparedBatch } from '@pool/contract/batches'
import type { NetworkName } from '@pool/contract/networks'
import { refusal } from '@pool/contract/refusals'
import { type Kysely, sql } from 'kysely'
import { record } from '../audit/record.ts'
import type { Context } from '../context.ts'
import type { Schema } from '../db/schema.ts'
import type { Caller } from '../sessions/actor.ts'
import { requirePayable } from './candidates.ts'
import { requireFineNode, sendRaw } from './payingNode.ts'
import { requireNotLentTo } from './queries.ts'
import { type Compared, compareBitcoin, type SignedBatch } from './signedBitcoin.ts'

type Needed = Pick<Context, 'config' | 'db' | 'keys'>
type Given = { readonly id: string; readonly text: string }

const readBatch = async (db: Kysely<Schema>, id: string) => {
  const { rows } = await sql<SignedBatch & { format: string; state: string }>`
    SELECT network_name AS network, format, state, decimals, file, fee_units::text AS "feeUnits", change_address AS "changeAddress",
      coalesce((SELECT jsonb_agg(jsonb_build_object('address', address, 'units', units::text) ORDER BY position)
        FROM batch_payouts WHERE batch_id = b.id), '[]') AS payouts,
      coalesce((SELECT jsonb_agg(jsonb_build_object('input', input, 'units', units::text) ORDER BY input)
        FROM batch_inputs WHERE batch_id = b.id), '[]') AS inputs
    FROM batches AS b WHERE id = ${id}`.execute(db)
  const [batch] = rows
  if (!batch) throw refusal('batchNotFound')
  return batch
}

const compare = async (db: Kysely<Schema>, { id, text }: Given): Promise<Compared> => {
  const batch = await readBatch(db, id)
  const { state } = batch
  // No other file is given out, so no other one comes back.
  if (state === 'WAITING' || state === 'GIVEN_UP') throw refusal('batchClosed', { state })
  if (batch.format !== 'PSBT') throw refusal('signedNotTaken')
  return compareBitcoin(batch, text)
}

/**
 * Compares a signed file with its batch. Throws `batchNotFound`, `batchClosed`, `signedNotTaken`,
 * `signedUnreadable`.
 */
export const compareSigned = async (
  { db }: Pick<Needed, 'db'>,
  given: Given,
): Promise<ComparedBatch> => {
  const { raw: _, ...compared } = await compare(db, given)
  return compared
}

/** Minutes in which a repeat is not sent again. The network may have lost an older one. */
const SENT_MINUTES = 10

/** True where the signed file of a batch was just given to the node. */
export const wasSent = async (db: Kysely<Schema>, id: string): Promise<boolean> => {
  const { rows } = await sql`
    SELECT FROM audit_entries WHERE subject_type = 'batch' AND subject_id = ${id} AND action = 'batch.sent'
      AND created_at > now() - make_interval(mins => ${SENT_MINUTES})`.execute(db)
  return rows.length > 0
}

/**
 * Sends a signed file by the node, once for any number of calls. Throws as {@link compareSigned}
 * and requirePayable, and for other reasons that the catalogue of batches names.
 */
export const sendSigned = async (
  { config, db, keys }: Needed,
  { by, ...given }: Given & { readonly by: Caller },
): Promise<{ readonly transaction: string }> => {
  const { id } = given
  const { raw, isSame, transaction } = await compare(db, given)
  if (!isSame) throw refusal('signedDiffers')
  if (raw === undefined) throw refusal('signedUnfinished')
  return db.transaction().execute(async (locked) => {
    // Others do not wait for the node, and hold no connection meanwhile.
    const { rows } = await sql<{ network: NetworkName; state: string; digest: string }>`
      SELECT network_name AS network, state, digest FROM batches WHERE id = ${id} FOR UPDATE SKIP LOCKED`.execute(
      locked,
    )
    const [batch] = rows
    if (!batch) throw refusal('batchBusy')
    if (await wasSent(locked, id)) return { transaction }
    const { network, state, digest } = batch
    if (state !== 'READY' && state !== 'SEEN') throw refusal('batchClosed', { state })
    if (state === 'READY') {
      await requireNotLentTo(locked, id, by)
      await requirePayable(locked, id)
    }
    const { settings } = await requireFineNode(locked, config, network)
    // With the entry first, coins leave only where it can be written.
    await record(locked, keys, {
      by,
      action: 'batch.sent',
      subject: { type: 'batch', id },
      after: { networkName: network, digest, transaction },
    })
    await sendRaw(settings, raw)
    return { transaction }
  })
}
