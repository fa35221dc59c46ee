import { exceedsBalance } from '@pool/contract/messages'
import { formatDollars } from '@pool/contract/money'
import type { z } from 'zod'
import { dollarsOf, type TypedAmount } from './AmountInput.tsx'
import { rule } from './rule.ts'

/**
 * Checks the contract's rule, then the balance (docs/product.md 11.1). Without a known balance only
 * the server checks it.
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
