/** Follows what leaves the pool to the batches that explain it (docs/product.md 5.23). */
import type { NetworkName } from '@pool/contract/base/networks'
import { type Kysely, sql } from 'kysely'
import { newId } from '../../base/db/ids.ts'
import type { Schema } from '../../base/db/schema.ts'
import { takeLock } from '../../base/locks.ts'
import { NodeFault } from '../../chain/nodes/fault.ts'
import type { Followed } from '../../chain/nodes/follow.ts'
import { openSpendingProof } from '../../chain/nodes/proof.ts'
import { isFine } from '../../chain/nodes/stopped.ts'
import type { OnLedger } from '../../http/context.ts'
import { type OnRecord, record, SYSTEM } from '../../records/audit/record.ts'
import {
  completeByChain,
  confirmLoan,
  type ShownPayout,
  type ShownWithdrawal,
  sendByChain,
} from './byChain.ts'
import { type Alarm, explain } from './explain.ts'
import { readPaidMarks } from './followMarks.ts'
import { readOnChain } from './readOnChain.ts'

type Db = Kysely<Schema>

/** The number of withdrawals that were seen, of payouts completed, and of alarms raised. */
export type Done = { readonly sent: number; readonly completed: number; readonly raised: number }

/**
 * Matches what left with batches, marks withdrawals as sent once their coins are seen, and
 * completes them, or confirms loans, once those are deep enough. Needs a node that is fine.
 */
export const followPayouts = async (
  context: OnLedger,
  { settings, node, stopping }: Pick<Followed, 'settings' | 'node' | 'stopping'>,
): Promise<Done> => {
  const { network } = settings
  const matched = await matchPayouts(context, network)
  if (!matched) return { sent: 0, completed: 0, raised: 0 }
  const { payouts, raised } = matched
  const done = { sent: 0, completed: 0, raised }
  const failures: unknown[] = []
  // One payout must not hold up the others.
  const each = async <Payout>(all: readonly Payout[], act: (payout: Payout) => Promise<void>) => {
    for (const payout of all) {
      if (stopping?.aborted) return
      try {
        await act(payout)
      } catch (error) {
        if (!(error instanceof NodeFault)) failures.push(error)
      }
    }
  }
  await each(
    payouts.filter(isOfWithdrawal).filter(({ status }) => status === 'APPROVED'),
    async (payout) => {
      if (await sendByChain(context, network, payout)) done.sent += 1
    },
  )
  const confirmed = [
    ...payouts.filter(({ spending }) => spending.state === 'CONFIRMED'),
    ...(await readPaidMarks(context.db, network)),
  ]
  if (confirmed.length > 0)
    try {
      const shownAt = await openSpendingProof(settings, node)
      await each(confirmed, async (payout) => {
        const { height, hash } = payout.spending
        if (height === null || hash === null) return
        const block = await shownAt({ ...payout.spending, height, hash }, payout.sent)
        if (!block) return
        const isDone = isOfWithdrawal(payout)
          ? await completeByChain(context, network, payout)
          : await confirmLoan(context, network, { payout, minedAt: block.time })
        if (isDone) done.completed += 1
      })
    } catch (error) {
      // The chain follower reports node failures.
      if (!(error instanceof NodeFault)) throw error
    }
  await completeBatches(context.db, network)
  if (failures.length > 0) throw failures[0]
  return done
}

const isOfWithdrawal = (payout: ShownPayout): payout is ShownWithdrawal => payout.ownerId !== null

type Matched = { readonly payouts: readonly ShownPayout[]; readonly raised: number }

/**
 * Writes what explains each spending and pays each payout, and the alarms. Returns the payouts that
 * are on the chain and not completed. Undefined unless the network's node is fine.
 */
const matchPayouts = ({ db, keys }: OnRecord, network: NetworkName): Promise<Matched | undefined> =>
  db.transaction().execute(async (transaction) => {
    await takeLock(transaction, 'payouts', network)
    const { rows } =
      await sql`SELECT FROM chains AS c WHERE network_name = ${network} AND ${isFine}`.execute(
        transaction,
      )
    if (rows.length === 0) return undefined
    const read = await readOnChain(transaction, network)
    const { batchOf, paidBy, alarms } = explain(read.onChain)

    const idOf = new Map([...batchOf].map(([{ id }, batch]) => [id, batch?.id ?? null]))
    const linked = read.spendings
      .map(({ id, batchId }) => ({ id, before: batchId, batchId: idOf.get(id) ?? null }))
      .filter(({ before, batchId }) => before !== batchId)
    await sql`UPDATE spendings AS s SET batch_id = l."batchId"
      FROM jsonb_to_recordset(${JSON.stringify(linked)}::jsonb) AS l (id uuid, "batchId" uuid) WHERE s.id = l.id`.execute(
      transaction,
    )

    const paid = [...read.payoutOf].map(([payout, { batch, row }]) => {
      const by = paidBy.get(payout)
      const now = { transaction: by?.spending.transaction ?? null, output: by?.output ?? null }
      return { batch, row, now, by }
    })
    const moved = paid
      .filter(({ row, now }) => row.transaction !== now.transaction || row.output !== now.output)
      .map(({ batch, row, now }) => ({ batchId: batch.id, position: row.position, ...now }))
    await sql`UPDATE batch_payouts AS p SET transaction_id = m.transaction, output = m.output
      FROM jsonb_to_recordset(${JSON.stringify(moved)}::jsonb) AS m ("batchId" uuid, position integer, transaction text, output integer)
      WHERE p.batch_id = m."batchId" AND p.position = m.position`.execute(transaction)
    // A loan that a given-up batch paid after all has its coins. Staff see that it did.
    const seen = paid.filter(
      ({ by, batch, row }) =>
        by && ((batch.state !== 'GIVEN_UP' && !row.isFreed) || row.order?.loanId),
    )
    await sql`UPDATE batches SET state = 'SEEN' WHERE state IN ('WAITING', 'READY')
      AND id = ANY (${seen.map(({ batch }) => batch.id)}::uuid[])`.execute(transaction)

    const raised = await writeAlarms({ db: transaction, keys }, network, alarms)
    const payouts = seen.flatMap(({ by, batch, row, now }) => {
      const spending = by && read.rowOf.get(by.spending)
      const { order, ...payout } = row
      if (!spending || !order || now.transaction === null || now.output === null) return []
      const { status, markedAs, id, ownerId, loanId, cents } = order
      const isOpen = status === 'APPROVED' || status === 'PROCESSING'
      // Staff marked another payment, so a person decides.
      if (!isOpen || (markedAs !== null && markedAs !== now.transaction)) return []
      const { asset, decimals } = batch
      const sent = { output: now.output, address: payout.address, asset, units: payout.units }
      const about = { id, ownerId, loanId, cents: BigInt(cents), status }
      return { ...about, isMarked: markedAs !== null, batchId: batch.id, decimals, spending, sent }
    })
    return { payouts, raised }
  })

/** Raises alarms, each with an entry, and ends those that nothing shows any more. */
const writeAlarms = async (
  { db, keys }: OnRecord,
  network: NetworkName,
  alarms: readonly Alarm[],
): Promise<number> => {
  const rows = JSON.stringify(alarms.map((each) => ({ id: newId(), ...each })))
  const shown = sql`jsonb_to_recordset(${rows}::jsonb)
    AS r (id uuid, kind text, "batchId" uuid, position integer, "spendingId" uuid)`
  const { rows: raised } = await sql<Alarm & { id: string; transaction: string | null }>`
    INSERT INTO payout_alarms AS a (id, network_name, kind, batch_id, position, spending_id)
    SELECT r.id, ${network}, r.kind, r."batchId", r.position, r."spendingId" FROM ${shown}
    ON CONFLICT ON CONSTRAINT payout_alarms_once DO UPDATE SET found_at = now(), ended_at = NULL
    WHERE a.ended_at IS NOT NULL AND a.settled_at IS NULL
    RETURNING id, kind, batch_id AS "batchId", position,
      (SELECT transaction_id FROM spendings WHERE id = a.spending_id) AS transaction`.execute(db)
  await sql`
    UPDATE payout_alarms AS a SET ended_at = now() WHERE a.network_name = ${network} AND a.ended_at IS NULL AND a.settled_at IS NULL
      AND NOT EXISTS (SELECT FROM ${shown} WHERE r.kind = a.kind AND (r."batchId", r.position, r."spendingId")
        IS NOT DISTINCT FROM (a.batch_id, a.position, a.spending_id))`.execute(db)
  const entries = raised.map(({ id, kind, batchId, transaction }) => ({
    by: SYSTEM,
    action: 'alarm.raised' as const,
    subject: { type: 'alarm' as const, id },
    after: {
      kind,
      networkName: network,
      batchId: batchId ?? undefined,
      transaction: transaction ?? undefined,
    },
  }))
  if (entries.length > 0) await record(db, keys, ...entries)
  return raised.length
}

/** Completes batches of which each payout has arrived, was freed, or was given back before. */
const completeBatches = async (db: Db, network: NetworkName): Promise<void> => {
  await sql`
    UPDATE batches AS b SET state = 'COMPLETED', completed_at = now()
    WHERE b.network_name = ${network} AND b.state = 'SEEN' AND NOT EXISTS (
      SELECT FROM batch_payouts AS p LEFT JOIN transactions AS t ON t.id = p.withdrawal_id LEFT JOIN loan_sendings AS l ON l.id = p.sending_id
        LEFT JOIN loan_confirmations AS c ON c.sending_id = p.sending_id
        LEFT JOIN spendings AS s ON s.network_name = b.network_name AND s.transaction_id = p.transaction_id
      WHERE p.batch_id = b.id AND p.is_open AND (CASE WHEN p.withdrawal_id IS NOT NULL THEN t.status IN ('COMPLETED', 'RETURNED')
        WHEN p.sending_id IS NOT NULL THEN l.status <> 'OPEN' OR c.sending_id IS NOT NULL ELSE s.state = 'CONFIRMED' END) IS NOT TRUE)`.execute(
    db,
  )
}
