import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { centsFromDollars } from '@pool/contract/base/money'
import { refusal } from '@pool/contract/base/refusals'
import type { Kysely } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { WithKeys } from '../../http/context.ts'
import { poolBalance } from '../../ledger/families/accounts.ts'
import type { Operation } from '../../ledger/families/movements.ts'
import { signEntry } from '../../records/audit/entry.ts'
import { SYSTEM } from '../../records/audit/record.ts'

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

/** The operation by which the reserve pays a claim that two people gave up. */
export const writeOffOf = (
  { keys }: WithKeys,
  id: string,
  { claimId, userId: ownerId, amount }: AskedWriteOff,
): Operation => ({
  movement: 'claim_written_off',
  id,
  ownerId,
  claimId,
  amount: centsFromDollars(amount),
  entry: signEntry(keys, {
    by: SYSTEM,
    action: 'deposit.writtenOff',
    subject: { type: 'transaction', id: claimId },
    ownerId,
    after: { amount },
  }),
})
