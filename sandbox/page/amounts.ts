import { PageError } from './servePage.ts'

const AMOUNT = /^(\d{1,9})(?:\.(\d{1,18}))?$/

/** Units of an amount in whole coins. Throws a sentence for none, and for too many decimals. */
export const unitsFrom = (amount: string, decimals: number): bigint => {
  const [, whole, part = ''] = AMOUNT.exec(amount) ?? []
  const units =
    whole === undefined || part.length > decimals ? 0n : BigInt(whole + part.padEnd(decimals, '0'))
  if (units > 0n) return units
  throw new PageError(`Enter an amount above 0 with at most ${decimals} decimals.`)
}
