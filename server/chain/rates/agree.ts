import { FEWEST_SOURCES, type PriceProblem, type Rate } from '@pool/contract/chain/rates'

/**
 * The median of the prices, the lower one of two in the middle. There is none of fewer than three,
 * or when the highest is more than 1 % above the lowest.
 */
export const agree = (
  prices: readonly Rate[],
): { readonly rate: Rate } | { readonly problem: PriceProblem } => {
  const sorted = prices.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const [least, most] = [sorted.at(0), sorted.at(-1)]
  const rate = sorted[Math.floor((sorted.length - 1) / 2)]
  if (sorted.length < FEWEST_SOURCES || !least || !most || !rate) return { problem: 'few' }
  return (most - least) * 100n > least ? { problem: 'apart' } : { rate }
}
