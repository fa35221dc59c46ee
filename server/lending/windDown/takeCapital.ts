/** Capital of the operator that leaves a pool that winds down (docs/product.md 5.42). */
import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { type Cents, cents, centsFromDollars, dollarsFromCents } from '@pool/contract/base/money'
import { refusal } from '@pool/contract/base/refusals'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { OnLedger } from '../../http/context.ts'
import { poolBalance } from '../../ledger/families/accounts.ts'
import { NET_CAPITAL } from '../../ledger/families/capital.ts'
import { signEntry } from '../../records/audit/entry.ts'
import { SYSTEM } from '../../records/audit/record.ts'
import { postEach } from '../loans/postEach.ts'
import { requireConfirmed } from './repayments.ts'
import { currentWindDown } from './windDown.ts'

type AskedCapital = PayloadOf<'WITHDRAW_CAPITAL'>

/** Cents that the operator put in and that nothing settled, and cents that must be paid before. */
export const readCapital = async (
  db: Kysely<Schema>,
): Promise<{ readonly standing: Cents; readonly owed: Cents }> => {
  const { rows } = await sql<{ standing: bigint; owed: bigint }>`
    SELECT greatest(${sql.raw(NET_CAPITAL)}, 0) AS standing, owed_before_capital() AS owed`.execute(
    db,
  )
  const { standing = 0n, owed = 0n } = rows[0] ?? {}
  return { standing: cents(standing), owed: cents(owed) }
}

/**
 * Throws `notWindingDown`, `capitalLeavesLast`, `repaymentsChanged`, `reserveShort`, and
 * `nothingToTake` for no sum while there is one, or without anything to settle.
 */
export const requireTakable = async (db: Kysely<Schema>, asked: AskedCapital): Promise<void> => {
  const { amount } = asked
  if (!(await currentWindDown(db))) throw refusal('notWindingDown')
  const { standing, owed } = await readCapital(db)
  if (owed !== 0n) throw refusal('capitalLeavesLast', { owed: dollarsFromCents(owed) })
  await requireConfirmed(db, asked)
  const reserve = await poolBalance(db, 'reserve')
  if (reserve < centsFromDollars(amount)) throw refusal('reserveShort')
  if (amount === 0 && (reserve > 0n || standing === 0n)) throw refusal('nothingToTake')
}

type AgreedCapital = { readonly id: string; readonly payload: AskedCapital }

/** Those approved in the wind-down under way that are not booked. */
const readAgreed = async (db: Kysely<Schema>): Promise<readonly AgreedCapital[]> => {
  const { rows } = await sql<AgreedCapital>`
    SELECT p.id, p.payload FROM proposals AS p JOIN current_wind_down() AS w ON p.decided_at >= w.created_at
    WHERE p.kind = 'WITHDRAW_CAPITAL' AND p.status = 'DONE' AND p.decided_at > now() - interval '7 days'
      AND NOT EXISTS (SELECT FROM capital_withdrawals AS c WHERE c.id = p.id) ORDER BY p.asked_at`.execute(
    db,
  )
  return rows
}

/** Refusals of a moment, or of an agreement that another one overtook. */
const RETRYABLE = [
  'reserveExhausted',
  'capitalLeavesLast',
  'notWindingDown',
  'nothingToTake',
  'repaymentsChanged',
  'proposalClosed',
  'busy',
  'unavailable',
  'outcomeUnknown',
]

/**
 * Takes capital out as two super admins agreed, each once. An agreement lasts 7 days. Returns how
 * many were booked.
 */
export const postCapital = async ({ db, keys, ledger }: OnLedger): Promise<number> =>
  postEach(
    await readAgreed(db),
    async ({ id, payload: { amount } }) => {
      const entry = signEntry(keys, {
        by: SYSTEM,
        action: 'capital.withdrawn',
        subject: { type: 'windDown', id },
        after: { amount },
      })
      await ledger.post({
        movement: 'capital_withdrawn',
        id,
        amount: centsFromDollars(amount),
        entry,
      })
      return true
    },
    RETRYABLE,
  )
