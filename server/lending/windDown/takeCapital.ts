/** Capital of the operator that leaves a pool that winds down (docs/product.md 5.42). */
import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { type Cents, cents, centsFromDollars, dollarsFromCents } from '@pool/contract/base/money'
import { refusal } from '@pool/contract/base/refusals'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { WithKeys } from '../../http/context.ts'
import { poolBalance } from '../../ledger/families/accounts.ts'
import { NET_CAPITAL } from '../../ledger/families/capital.ts'
import type { Operation } from '../../ledger/families/movements.ts'
import { signEntry } from '../../records/audit/entry.ts'
import { SYSTEM } from '../../records/audit/record.ts'
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

/** The operation that takes capital out. */
export const capitalOf = ({ keys }: WithKeys, id: string, { amount }: AskedCapital): Operation => ({
  movement: 'capital_withdrawn',
  id,
  amount: centsFromDollars(amount),
  entry: signEntry(keys, {
    by: SYSTEM,
    action: 'capital.withdrawn',
    subject: { type: 'windDown', id },
    after: { amount },
  }),
})
