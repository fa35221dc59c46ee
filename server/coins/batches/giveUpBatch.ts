import type { NetworkName } from '@pool/contract/base/networks'
import { refusal } from '@pool/contract/base/refusals'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { Caller } from '../../base/sessions/actor.ts'
import { coins } from '../../chain/nodes/coins.ts'
import type { WithConfig } from '../../http/context.ts'
import { type OnRecord, record } from '../../records/audit/record.ts'
import { areUnspent, asRefusal, readSafe, requireFineNode } from './payingNode.ts'
import { areAlive, isAwaited } from './sendEvm.ts'
import { sentBefore, wasSent } from './signedFile.ts'

type GivingUp = { readonly id: string; readonly reason: string; readonly by: Caller }
type GivingUpContext = OnRecord & WithConfig

/**
 * WAITING or READY → GIVEN_UP, or the rest of a SEEN batch freed, for a reason. Throws
 * `batchNotFound`, `batchClosed`, `batchOnChain`, `restMayCome`, `batchImpossible`.
 */
export const giveUpBatch = async (
  context: GivingUpContext,
  { id, reason, by }: GivingUp,
): Promise<void> => {
  const { db, keys } = context
  if (await giveUpRest(context, { id, reason, by })) return
  await requireOffChain(context, { id, by })
  await db.transaction().execute(async (transaction) => {
    const batch = await transaction
      .selectFrom('batches')
      .select(['state', 'network_name'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!batch) throw refusal('batchNotFound')
    const { state } = batch
    if (state !== 'WAITING' && state !== 'READY') throw refusal('batchClosed', { state })
    // The follower may have written one since the node was asked.
    if ((await isSeen(transaction, { id, by })) || (await wasSent(transaction, id)))
      throw refusal('batchOnChain')
    await transaction
      .updateTable('batches')
      .set({ state: 'GIVEN_UP', given_up_by: by.id, given_up_at: sql<Date>`now()`, reason })
      .where('id', '=', id)
      .execute()
    for (const table of ['batch_payouts', 'batch_inputs'] as const)
      await transaction
        .updateTable(table)
        .set({ is_open: false })
        .where('batch_id', '=', id)
        .execute()
    await record(transaction, keys, {
      by,
      action: 'batch.givenUp',
      subject: { type: 'batch', id },
      before: { state },
      after: { state: 'GIVEN_UP', networkName: batch.network_name },
      reason,
    })
  })
}

/**
 * Frees what the file of a SEEN batch left out, so that another batch pays it. Returns false for a
 * batch in another state. Throws `restMayCome` while the same file could still pay it.
 */
const giveUpRest = async (
  context: GivingUpContext,
  { id, reason, by }: GivingUp,
): Promise<boolean> => {
  const { db, keys } = context
  const found = await db
    .selectFrom('batches')
    .select(['state', 'format', 'network_name', 'payer', 'nonce'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (found?.state !== 'SEEN') return false
  const { format, payer, nonce, network_name } = found
  if (format === 'SAFE' && payer !== null) {
    const { settings, asking } = await requireFineNode(
      db,
      context.config,
      network_name as NetworkName,
    )
    const safe = await asking(() => asRefusal(() => readSafe(settings, payer, [])))
    if (!safe || safe.nonce <= Number(nonce)) throw refusal('restMayCome')
  }
  const sent = format === 'CSV' ? await sentBefore(db, id) : []
  if (sent.length > 0) await requireNoneAwaited(context, network_name as NetworkName, sent)
  await db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ state: string; paid: boolean; payee: boolean }>`
      SELECT b.state, pays_person(b.id, ${by.id}) AS payee,
        -- Coins or the number of the file are used, as deep as the network needs it.
        EXISTS (SELECT FROM batch_payouts AS p JOIN spendings AS s ON s.network_name = b.network_name AND s.transaction_id = p.transaction_id
          WHERE p.batch_id = b.id AND s.state = 'CONFIRMED') AS paid
      FROM batches AS b WHERE b.id = ${id} FOR UPDATE`.execute(transaction)
    const [batch] = rows
    if (batch?.state !== 'SEEN') throw refusal('batchClosed', { state: batch?.state ?? '' })
    if (batch.payee) throw refusal('ownTransaction')
    if (!batch.paid) throw refusal('restMayCome')
    const freed = await sql`
      UPDATE batch_payouts AS p SET is_open = false WHERE p.batch_id = ${id} AND p.is_open AND p.transaction_id IS NULL
        AND NOT EXISTS (SELECT FROM transactions AS t WHERE t.id = p.withdrawal_id AND t.status <> 'APPROVED')
        -- Its payee got other units, so another batch would pay it beside them.
        AND NOT EXISTS (SELECT FROM spendings AS s JOIN sent_coins AS c ON c.spending_id = s.id
          WHERE s.batch_id = p.batch_id AND s.state IN ('SEEN', 'CONFIRMED') AND lower(c.address) = lower(p.address)
            AND NOT EXISTS (SELECT FROM batch_payouts AS q WHERE q.batch_id = p.batch_id AND q.transaction_id = s.transaction_id AND q.output = c.output))`.execute(
      transaction,
    )
    const count = Number(freed.numAffectedRows ?? 0n)
    if (count === 0) throw refusal('batchClosed', { state: 'SEEN' })
    await record(transaction, keys, {
      by,
      action: 'batch.restFreed',
      subject: { type: 'batch', id },
      after: { networkName: network_name, payouts: count },
      reason,
    })
  })
  return true
}

/** Throws `restMayCome` while a transaction that was given back waits for a block. */
const requireNoneAwaited = async (
  { config, db }: GivingUpContext,
  network: NetworkName,
  sent: readonly string[],
): Promise<void> => {
  const { settings, asking } = await requireFineNode(db, config, network)
  if (settings.kind !== 'evm') return
  const ids = idsOf(sent)
  if (await asking(() => asRefusal(() => isAwaited(settings, ids)))) throw refusal('restMayCome')
}

/** The ids in entries of sendings. */
const idsOf = (sent: readonly string[]): string[] => sent.flatMap((each) => each.split(' '))

type BatchToGiveUp = Pick<GivingUp, 'id' | 'by'>

/** Confirmed payments of other units by the batch `b`, whose alarms another person settled. */
const otherUnits = ({ id }: Caller) => sql`
  SELECT FROM payout_alarms AS a JOIN spendings AS o ON o.id = a.spending_id
  WHERE a.batch_id = b.id AND a.kind IN ('SHORT', 'MORE') AND a.settled_at IS NOT NULL
    AND NOT is_same_person(a.settled_by, ${id}) AND o.state = 'CONFIRMED'`

/**
 * True where every payee of the batch `b` was paid other units, and the caller is not a payee. Then
 * two people agree: one by the alarms, and one by giving the batch up. It pays nothing more.
 */
const paidOtherwise = (by: Caller) => sql<boolean>`(NOT pays_person(b.id, ${by.id}) AND NOT EXISTS (
  SELECT FROM batch_payouts AS p WHERE p.batch_id = b.id AND NOT EXISTS (${otherUnits(by)} AND a.position = p.position)))`

/**
 * True where a seen transaction may be this batch: one that is said to be, one that spends its
 * coins and is explained by nothing else, or one of its payer that nothing explains.
 */
const isSeen = async (db: Kysely<Schema>, { id, by }: BatchToGiveUp): Promise<boolean> => {
  const { rows } = await sql<{ seen: boolean }>`
    SELECT EXISTS (SELECT FROM batch_payouts WHERE batch_id = b.id AND transaction_id IS NOT NULL)
      OR EXISTS (
        SELECT FROM spendings AS s
        WHERE s.network_name = b.network_name AND s.state IN ('SEEN', 'CONFIRMED')
          AND (s.batch_id = b.id AND NOT (s.state = 'CONFIRMED' AND s.settled_at IS NOT NULL)
              AND NOT (${paidOtherwise(by)} AND EXISTS (${otherUnits(by)} AND o.id = s.id))
            OR NOT (s.state = 'CONFIRMED' AND (s.settled_at IS NOT NULL OR s.batch_id IS NOT NULL))
              AND EXISTS (SELECT FROM spent_coins AS c WHERE c.spending_id = s.id
                AND (c.input IN (SELECT input FROM batch_inputs WHERE batch_id = b.id)
                  OR b.payer IS NOT NULL AND lower(c.address) = lower(b.payer) AND s.seen_at > b.made_at AND s.batch_id IS NULL)))) AS seen
    FROM batches AS b WHERE b.id = ${id}`.execute(db)
  return rows[0]?.seen === true
}

/** Asks the node, unless the file was never given out. Throws `batchOnChain`. */
const requireOffChain = async (
  { config, db }: GivingUpContext,
  { id, by }: BatchToGiveUp,
): Promise<void> => {
  const batch = await db
    .selectFrom('batches')
    .select(['state', 'format', 'network_name', 'asset', 'payer', 'nonce'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (batch?.state !== 'READY') return
  const network = batch.network_name as NetworkName
  const { settings, asking } = await requireFineNode(db, config, network)
  await asking(async () => {
    if (settings.kind === 'bitcoin') {
      const { inputs, isDead } = await readInputs(db, { id, by })
      if (isDead) return
      const unspent = await asRefusal(() => areUnspent(settings, inputs))
      if (unspent.includes(false)) throw refusal('batchOnChain')
    }
    if (settings.kind === 'evm' && batch.format === 'CSV') {
      const sent = idsOf(await sentBefore(db, id))
      const alive = await asRefusal(() => areAlive(settings, sent))
      if (alive.includes(true)) throw refusal('batchOnChain')
    }
    const { payer, nonce } = batch
    if (batch.format !== 'SAFE' || payer === null || nonce === null) return
    const safe = await asRefusal(() => readSafe(settings, payer, []))
    const isUsed = !safe || safe.nonce > Number(nonce)
    // Without traces, nothing shows the coins that a contract sends.
    const isShown = batch.asset !== coins[network] || (settings.kind === 'evm' && settings.traces)
    if (isUsed && !isShown) throw refusal('batchOnChain')
  })
}

/**
 * The inputs of a batch. It is dead once another transaction, confirmed and explained, spends one
 * of them: it needs all, so it never confirms.
 */
const readInputs = async (db: Kysely<Schema>, { id, by }: BatchToGiveUp) => {
  const { rows } = await sql<{ input: string; isSpent: boolean }>`
    SELECT i.input, EXISTS (SELECT FROM spent_coins AS c JOIN spendings AS s ON s.id = c.spending_id
        WHERE c.input = i.input AND s.network_name = i.network_name AND s.state = 'CONFIRMED'
          AND (s.settled_at IS NOT NULL OR s.batch_id <> b.id OR ${paidOtherwise(by)} AND EXISTS (${otherUnits(by)} AND o.id = s.id))) AS "isSpent"
    FROM batch_inputs AS i JOIN batches AS b ON b.id = i.batch_id WHERE b.id = ${id}`.execute(db)
  return { inputs: rows.map(({ input }) => input), isDead: rows.some(({ isSpent }) => isSpent) }
}
