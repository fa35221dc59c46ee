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
 * The sentence for typed dollars above the balance, also said while typing (docs/product.md 11.1).
 * Without a known balance only the server checks it.
 */
export const aboveBalance = (typed: string, balance: number | undefined): string | null => {
  const dollars = readDollars(typed)
  return dollars !== undefined && balance !== undefined && dollars > balance
    ? exceedsBalance(formatDollars(balance))
    : null
}

/** Checks as {@link amountRule} does, then the balance. */
export const amountWithin = (schema: z.ZodType, balance: number | undefined) => {
  const valid = amountRule(schema)
  return (typed: string): string | null => valid(typed) ?? aboveBalance(typed, balance)
}
