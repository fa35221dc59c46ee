import { dateFormat } from '../../i18n/format.ts'
import type { Point } from './picture.ts'

const inUtc = (options: Intl.DateTimeFormatOptions) => dateFormat({ ...options, timeZone: 'UTC' })
const day = inUtc({ month: 'short', day: 'numeric', year: 'numeric' })
const dayInShort = inUtc({ month: 'short', day: 'numeric' })
const month = inUtc({ month: 'long', year: 'numeric' })
const monthInShort = inUtc({ month: 'short' })

/** The most labels that fit below a chart. */
const MOST_TICKS = 6

/** The labels of a few days: about four days apart evenly, today among them. */
const fewTicks = (days: readonly Date[]): readonly (string | null)[] => {
  const step = Math.max(1, Math.ceil((days.length - 1) / 4))
  return days.map((at, index) =>
    (days.length - 1 - index) % step === 0 ? dayInShort().format(at) : null,
  )
}

/** The months that begin, every second or third of them where there are many. */
const monthTicks = (days: readonly Date[]): readonly (string | null)[] => {
  const begins = days.map(
    (at, index) => index > 0 && at.getUTCMonth() !== days[index - 1]?.getUTCMonth(),
  )
  const step = Math.ceil(begins.filter(Boolean).length / MOST_TICKS)
  let count = 0
  return days.map((at, index) => {
    if (!begins[index]) return null
    count += 1
    return (count - 1) % step === 0 ? monthInShort().format(at) : null
  })
}

/** The most days that are labelled by day. */
const FEW_DAYS = 62

/** Points by day, labelled by day where they are few, else by month. */
export const dayPoints = (days: readonly Date[]): readonly Point[] => {
  const ticks = days.length <= FEW_DAYS ? fewTicks(days) : monthTicks(days)
  return days.map((at, index) => ({ name: day().format(at), tick: ticks[index] ?? null }))
}

/** Points by month. Of many months every other one is labelled, and the last. */
export const monthPoints = (months: readonly Date[]): readonly Point[] =>
  months.map((at, index) => ({
    name: month().format(at),
    tick:
      months.length <= MOST_TICKS || (months.length - index) % 2 === 1
        ? monthInShort().format(at)
        : null,
  }))
