import { cents, dollarsFromCents } from '@pool/contract/base/money'
import { Refusal, refusal } from '@pool/contract/base/refusals'
import { type Kysely, sql } from 'kysely'
import { newId } from '../../base/db/ids.ts'
import type { Schema } from '../../base/db/schema.ts'
import type { Caller } from '../../base/sessions/actor.ts'
import type { OnLedger } from '../../http/context.ts'
import { poolBalance } from '../../ledger/families/accounts.ts'
import type { Operation } from '../../ledger/families/movements.ts'
import { signEntry } from '../../records/audit/entry.ts'
import { type OnRecord, SYSTEM } from '../../records/audit/record.ts'

type Reversal = {
  /** One of an agreement about several. Left out, it is that of the agreement. */
  readonly id?: string
  readonly repaymentId: string
  readonly reason: string
  /** The proposal that two people agreed on, where one person may not. */
  readonly agreedId?: string | undefined
  readonly by: Caller
}

/** The repayment to reverse. Throws `repaymentNotFound`. */
export const readRepayment = async (db: Kysely<Schema>, repaymentId: string) => {
  const { rows } = await sql<{
    loanId: string
    principal: bigint
    interest: bigint
    recovered: bigint
    valueOn: string
    reference: string
  }>`
    SELECT loan_id AS "loanId", principal, interest, recovered, value_on::text AS "valueOn", reference
    FROM loan_repayments WHERE id = ${repaymentId}`.execute(db)
  const [found] = rows
  if (!found) throw refusal('repaymentNotFound')
  const { principal, interest, recovered, ...repayment } = found
  const amount = dollarsFromCents(cents(principal + interest + recovered))
  return { ...repayment, amount, isRecovery: recovered > 0n }
}

/** The operation of a reversal. Throws `repaymentNotFound`. */
export const reversalOf = async (
  { db, keys }: OnRecord,
  { id, repaymentId, reason, agreedId, by }: Reversal,
): Promise<Operation> => {
  const { loanId, amount, isRecovery } = await readRepayment(db, repaymentId)
  return {
    movement: isRecovery ? 'loan_recovery_reversed' : 'loan_repayment_reversed',
    id: id ?? agreedId ?? newId(),
    loanId,
    repaymentId,
    reason,
    agreedId,
    by,
    entry: signEntry(keys, {
      by: agreedId === undefined ? by : SYSTEM,
      action: 'loan.repaymentReversed',
      subject: { type: 'loan', id: loanId },
      after: { repayment: repaymentId, amount },
      reason,
    }),
  }
}

/** Names what the free reserve has where a reversal takes more. */
export const shortFor = async (db: Kysely<Schema>, error: unknown): Promise<unknown> =>
  error instanceof Refusal && error.code === 'reserveExhausted'
    ? refusal('loanReserveShort', { free: dollarsFromCents(await poolBalance(db, 'reserve')) })
    : error

/**
 * Takes a repayment back, once. Throws as the ledger refuses it, `loanReserveShort` where the free
 * reserve has promised it on, and `takesTwo` above the limits of one person.
 */
export const reverseRepayment = async (
  { db, keys, ledger }: OnLedger,
  reversal: Reversal,
): Promise<void> => {
  const operation = await reversalOf({ db, keys }, reversal)
  try {
    await ledger.post(operation)
  } catch (error) {
    throw await shortFor(db, error)
  }
}
