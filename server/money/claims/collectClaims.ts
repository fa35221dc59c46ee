import { dollarsFromCents } from '@pool/contract/base/money'
import { Refusal } from '@pool/contract/base/refusals'
import { newId } from '../../base/db/ids.ts'
import { onEachOf } from '../../base/db/pages.ts'
import type { OnLedger } from '../../http/context.ts'
import { payable } from '../../ledger/families/claims.ts'
import { signEntry } from '../../records/audit/entry.ts'
import { SYSTEM } from '../../records/audit/record.ts'

/** Refusals worth retrying: the balance or the claim has changed since it was read. */
const EXPECTED: readonly string[] = [
  'insufficientFunds',
  'claimSettled',
  'accountClosed',
  'busy',
  'unavailable',
  'outcomeUnknown',
]

/** True for an error after which the next call tries again. */
export const isRetryable = (error: unknown): boolean =>
  error instanceof Refusal && EXPECTED.includes(error.code)

/**
 * Collects open claims from what their investors can spend (docs/product.md 5.20). Returns the
 * number of payments. The next call collects what is left.
 */
export const collectClaims = async ({ db, keys, ledger }: OnLedger): Promise<number> => {
  let collected = 0
  await onEachOf(payable(db), async ({ claimId, ownerId, amount }) => {
    const id = newId()
    const entry = signEntry(keys, {
      by: SYSTEM,
      action: 'deposit.collected',
      subject: { type: 'transaction', id },
      ownerId,
      after: { amount: dollarsFromCents(amount), claim: claimId },
    })
    try {
      await ledger.post({ movement: 'claim_collected', id, ownerId, claimId, amount, entry })
      collected += 1
    } catch (error) {
      if (!isRetryable(error)) throw error
    }
  })
  return collected
}
