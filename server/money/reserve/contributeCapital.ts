import { type Cents, dollarsFromCents } from '@pool/contract/base/money'
import { newId } from '../../base/db/ids.ts'
import type { WithKeys, WithLedger } from '../../http/context.ts'
import { POOL_OWNER } from '../../ledger/families/accounts.ts'
import { signEntry } from '../../records/audit/entry.ts'
import { FROM_OPERATOR } from '../../records/audit/record.ts'

export type CapitalContribution = {
  readonly amount: Cents
  /** The reason in words, stored for good. */
  readonly note: string
  readonly contributedBy: string
  /** A repeat under the same idempotency key contributes nothing. */
  readonly key?: string
}

/** Puts play coins of a sandbox into the reserve (docs/product.md 4.5). */
export const contributeCapital = async (
  { keys, ledger }: WithKeys & WithLedger,
  { amount, note, contributedBy, key }: CapitalContribution,
): Promise<void> => {
  const id = newId()
  await ledger.post({
    movement: 'capital_contributed',
    id,
    amount,
    note,
    contributedBy,
    entry: signEntry(keys, {
      by: { name: contributedBy, from: FROM_OPERATOR },
      action: 'capital.contributed',
      subject: { type: 'contribution', id },
      after: { amount: dollarsFromCents(amount) },
      reason: note,
    }),
    idempotency:
      key === undefined ? undefined : { actorId: POOL_OWNER, key, requestHash: String(amount) },
  })
}
