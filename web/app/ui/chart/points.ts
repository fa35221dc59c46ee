import { dateFormat } from '../../i18n/format.ts'
import type { Point } from './picture.ts'

const inUtc = (options: Intl.DateTimeFormatOptions) => dateFormat({ ...options, timeZone: 'UTC' })
const day = inUtc({ month: 'short', day: 'numeric', year: 'numeric' })
const month = inUtc({ month: 'long', year: 'numeric' })
const monthInShort = inUtc({ month: 'short' })

/** Points by day, labelled at the start of each month. */
export const dayPoints = (days: readonly Date[]): readonly Point[] =>
  days.map((at) => ({
    name: day().format(at),
    tick: at.getUTCDate() === 1 ? monthInShort().format(at) : null,
  }))

/** Points by month, labelled every other month and at the last. */
export const monthPoints = (months: readonly Date[]): readonly Point[] =>
  months.map((at, index) => ({
    name: month().format(at),
    tick: (months.length - index) % 2 === 1 ? monthInShort().format(at) : null,
  }))
