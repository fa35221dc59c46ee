import { cents, centsFromDollars, dollarsFromCents } from '@pool/contract/money'
import type { PayloadOf } from '@pool/contract/proposals'
import { Refusal, refusal } from '@pool/contract/refusals'
import { type Kysely, sql } from 'kysely'
import { signEntry } from '../audit/entry.ts'
import { SYSTEM } from '../audit/record.ts'
import type { Context } from '../context.ts'
import type { Schema } from '../db/schema.ts'
import { poolBalance } from '../ledger/accounts.ts'
import { isPassing } from './collectClaims.ts'

type Asked = PayloadOf<'WRITE_OFF'>

/** Throws `claimSettled` unless the investor owes that much for that deposit. */
export const requireOwed = async (
  db: Kysely<Schema>,
  { claimId, userId, amount }: Asked,
): Promise<void> => {
  const claim = await db
    .selectFrom('claims')
    .select('open')
    .where('deposit_id', '=', claimId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  const wanted = centsFromDollars(amount)
  if (!claim || wanted <= 0n || claim.open < wanted) throw refusal('claimSettled')
}

/** Throws `reserveShort` if the reserve cannot pay it. */
export const requireReserve = async (db: Kysely<Schema>, { amount }: Asked): Promise<void> => {
  if ((await poolBalance(db, 'reserve')) < centsFromDollars(amount)) throw refusal('reserveShort')
}

/**
 * Lets the reserve pay the claims that two people gave up, each once (docs/product.md 5.20).
 * Returns their number. The next call tries again where the reserve was short.
 */
export const postWriteOffs = async ({
  db,
  keys,
  ledger,
}: Pick<Context, 'db' | 'keys' | 'ledger'>): Promise<number> => {
  const { rows } = await sql<{ id: string; claimId: string; ownerId: string; amount: bigint }>`
    SELECT p.id, c.deposit_id AS "claimId", c.user_id AS "ownerId",
      least(c.open, round((p.payload ->> 'amount')::numeric * 100)::bigint) AS amount
    FROM proposals AS p JOIN claims AS c ON c.deposit_id = p.subject::uuid
    WHERE p.kind = 'WRITE_OFF' AND p.status = 'DONE' AND c.open > 0
      AND NOT EXISTS (SELECT FROM write_offs AS w WHERE w.id = p.id)
    ORDER BY p.asked_at`.execute(db)
  let written = 0
  for (const { id, claimId, ownerId, amount } of rows) {
    const entry = signEntry(keys, {
      by: SYSTEM,
      action: 'deposit.writtenOff',
      subject: { type: 'transaction', id: claimId },
      ownerId,
      after: { amount: dollarsFromCents(cents(amount)) },
    })
    try {
      await ledger.post({
        ...{ movement: 'claim_written_off', id, ownerId, claimId, entry },
        amount: cents(amount),
      })
      written += 1
    } catch (error) {
      const isShort = error instanceof Refusal && error.code === 'reserveExhausted'
      if (!isShort && !isPassing(error)) throw error
    }
  }
  return written
}
