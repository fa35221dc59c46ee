import { dollarsFromCents } from '@pool/contract/money'
import { Refusal } from '@pool/contract/refusals'
import { signEntry } from '../audit/entry.ts'
import { SYSTEM } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { newId } from '../db/ids.ts'
import { onEachOf } from '../db/pages.ts'
import { payable } from '../ledger/claims.ts'

/** Refusals of a moment: the balance or the claim has changed since it was read. */
const EXPECTED: readonly string[] = [
  ...['insufficientFunds', 'claimSettled', 'accountClosed'],
  ...['busy', 'unavailable', 'outcomeUnknown'],
]

/** True for an error after which the next call tries again. */
export const isPassing = (error: unknown): boolean =>
  error instanceof Refusal && EXPECTED.includes(error.code)

/**
 * Collects open claims from what their investors can spend (docs/product.md 5.20). Returns the
 * number of payments. The next call collects what is left.
 */
export const collectClaims = async ({
  db,
  keys,
  ledger,
}: Pick<Context, 'db' | 'keys' | 'ledger'>): Promise<number> => {
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
      if (!isPassing(error)) throw error
    }
  })
  return collected
}
