import type { UserFigures } from '../../api/reports/figures.ts'

/** The places of an investor's money, in the order of the bar. */
export const partNames = ['available', 'invested', 'held', 'onTheWay'] as const
export type Parts = Readonly<Record<(typeof partNames)[number] | 'total', number>>

const centsOf = (dollars: number): number => Math.round(dollars * 100)

/** The total value and its parts in dollars, all from one response. Null while one is unknown. */
export const partsOf = (figures: UserFigures | undefined): Parts | null => {
  if (!figures) return null
  const { totals, invested, held, onTheWay } = figures
  if (invested === null || held === null) return null
  const total = totals.at(-1)?.amount ?? 0
  const elsewhere = centsOf(invested) + centsOf(held) + centsOf(onTheWay)
  const available = (centsOf(total) - elsewhere) / 100
  return { total, available, invested, held, onTheWay }
}
