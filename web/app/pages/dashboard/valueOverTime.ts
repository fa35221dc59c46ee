import type { Figure } from '../../api/reports/figures.ts'

/** The days of each period of the chart, today excluded. */
export const periods = { week: 7, month: 30, quarter: 90, all: Number.POSITIVE_INFINITY } as const
export type Period = keyof typeof periods

const DAY_MS = 86_400_000
/** The most points that a chart draws of a long period. */
const MOST_POINTS = 180

/**
 * The total value by day in a period. It begins with zero on the day before the first deposit.
 * Longer periods keep every second day, or every third, and today.
 */
export const valueOverTime = (totals: readonly Figure[], period: Period): readonly Figure[] => {
  const first = totals[0]
  if (!first) return []
  const start = { at: new Date(first.at.getTime() - DAY_MS), amount: 0 }
  const days = [start, ...totals].slice(-(periods[period] + 1))
  const step = Math.ceil(days.length / MOST_POINTS)
  return days.filter((_, index) => (days.length - 1 - index) % step === 0)
}

/** The periods that show different days: none until there is more than a week. */
export const periodsFor = (totals: readonly Figure[]): readonly Period[] => {
  const names = Object.keys(periods) as Period[]
  const offered = names.filter(
    (name, index) => index === 0 || periods[names[index - 1] ?? name] < totals.length,
  )
  return offered.length > 1 ? offered : []
}
