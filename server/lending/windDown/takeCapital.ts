/** Capital of the operator that leaves a pool that winds down (docs/product.md 5.42). */
import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { type Cents, cents, centsFromDollars, dollarsFromCents } from '@pool/contract/base/money'
import { refusal } from '@pool/contract/base/refusals'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { WithKeys } from '../../http/context.ts'
import { poolBalance } from '../../ledger/families/accounts.ts'
import type { Operation } from '../../ledger/families/movements.ts'
import { signEntry } from '../../records/audit/entry.ts'
import { SYSTEM } from '../../records/audit/record.ts'
import { requireConfirmed } from './repayments.ts'
import { currentWindDown } from './windDown.ts'

type AskedCapital = PayloadOf<'WITHDRAW_CAPITAL'>

/** Cents that must be paid before capital leaves. */
export const readOwedBefore = async (db: Kysely<Schema>): Promise<Cents> => {
  const { rows } = await sql<{ owed: bigint }>`SELECT owed_before_capital() AS owed`.execute(db)
  return cents(rows[0]?.owed ?? 0n)
}

/**
 * Throws `notWindingDown`, `capitalLeavesLast`, `repaymentsChanged`, `reserveShort` and
 * `addressNotOwn`.
 */
export const requireTakable = async (db: Kysely<Schema>, asked: AskedCapital): Promise<void> => {
  const { amount, networkName, address } = asked
  if (!(await currentWindDown(db))) throw refusal('notWindingDown')
  const owed = await readOwedBefore(db)
  if (owed !== 0n) throw refusal('capitalLeavesLast', { owed: dollarsFromCents(owed) })
  await requireConfirmed(db, asked)
  const reserve = await poolBalance(db, 'reserve')
  if (reserve < centsFromDollars(amount)) throw refusal('reserveShort')
  const { rows } = await sql`
    SELECT FROM own_addresses WHERE network_name = ${networkName} AND address = ${address} AND class <> 'CHANGE'`.execute(
    db,
  )
  if (rows.length === 0) throw refusal('addressNotOwn')
}

/** The operation that takes capital out. */
export const capitalOf = (
  { keys }: WithKeys,
  id: string,
  { amount, networkName, address }: AskedCapital,
): Operation => ({
  movement: 'capital_withdrawn',
  id,
  amount: centsFromDollars(amount),
  networkName,
  address,
  entry: signEntry(keys, {
    by: SYSTEM,
    action: 'capital.withdrawn',
    subject: { type: 'windDown', id },
    after: { amount, networkName, address },
  }),
})
