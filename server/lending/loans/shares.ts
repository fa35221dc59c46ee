/** Open losses that all invested principal shares, once it was announced (docs/decisions/064). */
import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { cents, centsFromDollars, dollarsFromCents } from '@pool/contract/base/money'
import { refusal } from '@pool/contract/base/refusals'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { OnLedger } from '../../http/context.ts'
import { signEntry } from '../../records/audit/entry.ts'
import { SYSTEM } from '../../records/audit/record.ts'
import { entriesOf, requireOpen } from './covers.ts'
import { postEach } from './postEach.ts'

type AskedSharing = PayloadOf<'SHARE_LOSS'>

/** Cents of principal in active investments, which bear a loss that is shared now. */
export const investedPrincipal = async (db: Kysely<Schema>): Promise<bigint> => {
  const { rows } = await sql<{ cents: bigint }>`
    SELECT coalesce(sum(amount - borne), 0)::bigint AS cents FROM transactions WHERE investment_status = 'ACTIVE'`.execute(
    db,
  )
  return rows[0]?.cents ?? 0n
}

/** An agreed sharing of the loss that is open now. */
export type Announced = {
  readonly id: string
  readonly lossId: string
  readonly amount: bigint
  readonly countsAt: Date
}

/** The announced sharing of the loss that is open now. Another loss needs another announcement. */
export const readAnnounced = async (db: Kysely<Schema>): Promise<Announced | undefined> => {
  const { rows } = await sql<Announced>`
    SELECT id, loss_id AS "lossId", amount, counts_at AS "countsAt" FROM announced_sharing()`.execute(
    db,
  )
  return rows[0]
}

/**
 * Throws `lossChanged` unless exactly that is open, `lossAnnounced` if it is agreed already, and
 * `lossTooLarge` if less is invested.
 */
export const requireShare = async (db: Kysely<Schema>, asked: AskedSharing): Promise<void> => {
  const open = await requireOpen(db, asked)
  if (await readAnnounced(db)) throw refusal('lossAnnounced')
  const invested = await investedPrincipal(db)
  if (invested < open)
    throw refusal('lossTooLarge', { invested: dollarsFromCents(cents(invested)) })
}

/** Announces what two people agreed to. Returns the moment from which it counts. */
export const announceShare = async (
  db: Kysely<Schema>,
  id: string,
  { lossId, amount, noticeHours }: AskedSharing & { readonly noticeHours: number },
): Promise<Date> => {
  const row = await db
    .insertInto('loss_announcements')
    .values({
      id,
      loss_id: lossId,
      amount: centsFromDollars(amount),
      counts_at: sql<Date>`now() + make_interval(hours => ${noticeHours})`,
    })
    .returning('counts_at')
    .executeTakeFirstOrThrow()
  return row.counts_at
}

/** Refusals of a moment, or of a loss that is another one now. */
const RETRYABLE = [
  'lossTooLarge',
  'lossChanged',
  'proposalClosed',
  'busy',
  'unavailable',
  'outcomeUnknown',
]

/**
 * Lets all invested principal bear the open loss from the announced moment on, once. Investing and
 * withdrawals go on with it. Returns the number of losses.
 */
export const postShares = async ({ db, keys, ledger }: OnLedger): Promise<number> => {
  const announced = await readAnnounced(db)
  if (!announced) return 0
  return postEach(
    [announced],
    async ({ id, lossId, amount }) => {
      const entry = signEntry(keys, {
        by: SYSTEM,
        action: 'loss.shared',
        subject: { type: 'loss', id },
        after: { amount: dollarsFromCents(cents(amount)) },
      })
      await ledger.post({
        movement: 'loss_shared',
        id,
        lossId,
        amount: cents(amount),
        entry,
        resuming: entriesOf(keys, 'switch.resumed'),
      })
      return true
    },
    RETRYABLE,
  )
}
