import { exceedsBalance } from '@pool/contract/base/messages'
import { formatDollars } from '@pool/contract/base/money'
import * as validation from '@pool/contract/base/validation'
import type { z } from 'zod'
import { readDollars } from '../i18n/dollars.ts'
import { rule } from './rule.ts'

/** Checks typed dollars: that they have one meaning, then the contract's rule. */
export const amountRule = (schema: z.ZodType) => {
  const valid = rule(schema)
  return (typed: string): string | null => {
    const dollars = readDollars(typed)
    return Number.isNaN(dollars) ? validation.amountUnclear : valid(dollars)
  }
}

/**
 * Checks as {@link amountRule} does, then the balance (docs/product.md 11.1). Without a known
 * balance only the server checks it.
 */
export const amountWithin = (schema: z.ZodType, balance: number | undefined) => {
  const valid = amountRule(schema)
  return (typed: string): string | null => {
    const broken = valid(typed)
    const dollars = readDollars(typed)
    if (broken || dollars === undefined || balance === undefined || dollars <= balance)
      return broken
    return exceedsBalance(formatDollars(balance))
  }
}
