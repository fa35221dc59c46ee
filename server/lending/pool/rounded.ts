import { centsFromDollars } from '@pool/contract/base/money'
import type { PoolBook } from '@pool/contract/lending/poolBook'
import { runwayOf } from '../../ledger/families/runway.ts'

/** Dollars to which sums of investors' money are rounded. */
const STEP = 100
/** Digits of the coins of a network that are told. */
const DIGITS = 3

const near = (dollars: number): number => Math.round(dollars / STEP) * STEP

/** A decimal number with zeros after its first digits that count. */
const firstDigits = (text: string): string => {
  const from = text.search(/[1-9]/)
  let told = 0
  const digits = [...text].map((digit, at) => {
    if (at < from || digit === '.') return digit
    told += 1
    return told > DIGITS ? '0' : digit
  })
  return digits
    .join('')
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')
}

/** Basis points to a whole percent: an exact ratio beside a public sum tells a single principal. */
const nearWhole = (share: number | null): number | null =>
  share === null ? null : Math.round(share / 100) * 100

/** The runway by rounded figures, as the exact one would tell what they hide. */
const pacedBy = (
  free: number,
  pace: PoolBook['interest']['pace'],
): Pick<PoolBook['interest'], 'pace' | 'runwayDays'> => ({
  pace,
  runwayDays: runwayOf(centsFromDollars(free), {
    interest: centsFromDollars(pace.promised),
    days: pace.days,
  }),
})

/** Rounds what would tell a deposit, an investment or a withdrawal (docs/threats.md T115). */
export const rounded = <
  Figures extends Pick<PoolBook, 'month' | 'interest' | 'reserve' | 'liquidity'>,
>(
  figures: Figures,
): Figures => {
  const { month, interest, reserve, liquidity } = figures
  const [free, committed] = [near(reserve.free), near(reserve.committed)]
  return {
    ...figures,
    month: { ...month, paid: near(month.paid), setAside: near(month.setAside) },
    interest: {
      ...interest,
      promised: near(interest.promised),
      paid: near(interest.paid),
      fromBorrowers: near(interest.fromBorrowers),
      ...pacedBy(free, { ...interest.pace, promised: near(interest.pace.promised) }),
      covered90: nearWhole(interest.covered90),
      planRate: nearWhole(interest.planRate),
      months: interest.months.map((each) => ({
        ...each,
        promised: near(each.promised),
        fromBorrowers: near(each.fromBorrowers),
      })),
    },
    reserve: { ...reserve, free, committed, balance: free + committed },
    liquidity: {
      ...liquidity,
      coins: near(liquidity.coins),
      typed: near(liquidity.typed),
      owed: near(liquidity.owed),
      owedInAll: near(liquidity.owedInAll),
      networks: liquidity.networks.map((each) => ({ ...each, units: firstDigits(each.units) })),
      days: liquidity.days.map((each) => ({ ...each, promised: near(each.promised) })),
    },
  }
}
