import { exceedsBalance } from '@pool/contract/messages'
import { formatDollars } from '@pool/contract/money'
import type { z } from 'zod'
import { dollarsOf, type TypedAmount } from './AmountInput.tsx'
import { rule } from './rule.ts'

/**
 * The contract's rule for an amount, then the balance's (docs/product.md 11.1). Without a known
 * balance the server alone decides.
 */
export const amountWithin = (schema: z.ZodType, balance: number | undefined) => {
  const valid = rule(schema)
  return (typed: TypedAmount): string | null => {
    const dollars = dollarsOf(typed)
    const broken = valid(dollars)
    if (broken || dollars === undefined || balance === undefined || dollars <= balance)
      return broken
    return exceedsBalance(formatDollars(balance))
  }
}
