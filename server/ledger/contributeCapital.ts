import type { Cents } from '@pool/contract/money'
import { newId } from '../ids.ts'
import { POOL_OWNER } from './accounts.ts'
import type { Ledger } from './ledger.ts'
import { capitalContributed } from './movements.ts'

export type CapitalContribution = {
  readonly amount: Cents
  /** Why, in words; kept for good. */
  readonly note: string
  readonly contributedBy: string
  /** Under one key, capital is contributed once whatever the number of tries. */
  readonly key?: string
}

/** Moves the operator's capital into the reserve, from which interest is promised, and records who said so (design §5). */
export const contributeCapital = async (ledger: Ledger, { amount, note, contributedBy, key }: CapitalContribution): Promise<void> => {
  const id = newId()
  await ledger.post({
    movement: capitalContributed(amount),
    referenceId: id,
    contribution: { id, amount, note, contributedBy },
    repeatable: key === undefined ? undefined : { actorId: POOL_OWNER, key, requestHash: String(amount) },
  })
}
