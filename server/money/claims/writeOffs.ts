import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { amountSchema } from '@pool/contract/base/fields'
import { cents, centsFromDollars, dollarsFromCents } from '@pool/contract/base/money'
import { Refusal, refusal } from '@pool/contract/base/refusals'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { OnLedger } from '../../http/context.ts'
import { poolBalance } from '../../ledger/families/accounts.ts'
import { signEntry } from '../../records/audit/entry.ts'
import { SYSTEM } from '../../records/audit/record.ts'
import { isRetryable } from './collectClaims.ts'

type AskedWriteOff = PayloadOf<'WRITE_OFF'>

/** Throws `claimSettled` unless the investor owes exactly that for that deposit. */
export const requireOwed = async (
  db: Kysely<Schema>,
  { claimId, userId, amount }: AskedWriteOff,
): Promise<void> => {
  const claim = await db
    .selectFrom('claims')
    .select('open')
    .where('deposit_id', '=', claimId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!claim || claim.open !== centsFromDollars(amount)) throw refusal('claimSettled')
}

/** Throws `reserveShort` if the reserve cannot pay it. */
export const requireReserve = async (
  db: Kysely<Schema>,
  { amount }: AskedWriteOff,
): Promise<void> => {
  if ((await poolBalance(db, 'reserve')) < centsFromDollars(amount)) throw refusal('reserveShort')
}

type AgreedWriteOff = {
  readonly id: string
  readonly claimId: string
  readonly ownerId: string
  readonly open: bigint
  readonly agreed: bigint
}

/** Approved write-offs that are not paid, of claims that are open. The call checked the amounts. */
const readAgreed = async (db: Kysely<Schema>): Promise<AgreedWriteOff[]> => {
  const { rows } = await sql<Omit<AgreedWriteOff, 'agreed'> & { payload: AskedWriteOff }>`
    SELECT p.id, c.deposit_id AS "claimId", c.user_id AS "ownerId", c.open, p.payload
    FROM proposals AS p JOIN claims AS c ON c.deposit_id::text = p.subject
    WHERE p.kind = 'WRITE_OFF' AND p.status = 'DONE' AND c.open > 0
      AND NOT EXISTS (SELECT FROM write_offs AS w WHERE w.id = p.id)
    ORDER BY p.asked_at`.execute(db)
  return rows.flatMap(({ payload, ...rest }) => {
    const { success, data } = amountSchema.safeParse(payload.amount)
    return success ? { ...rest, agreed: centsFromDollars(data) } : []
  })
}

/**
 * Lets the reserve pay the claims that two people gave up, each once (docs/product.md 5.20).
 * Returns their number. The next call tries again where the reserve was short.
 */
export const postWriteOffs = async ({ db, keys, ledger }: OnLedger): Promise<number> => {
  const failures: unknown[] = []
  let written = 0
  for (const { id, claimId, ownerId, open, agreed } of await readAgreed(db)) {
    const amount = cents(agreed < open ? agreed : open)
    const entry = signEntry(keys, {
      by: SYSTEM,
      action: 'deposit.writtenOff',
      subject: { type: 'transaction', id: claimId },
      ownerId,
      after: { amount: dollarsFromCents(amount) },
    })
    try {
      await ledger.post({ movement: 'claim_written_off', id, ownerId, claimId, amount, entry })
      written += 1
    } catch (error) {
      const isShort = error instanceof Refusal && error.code === 'reserveExhausted'
      if (!isShort && !isRetryable(error)) failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
  return written
}
