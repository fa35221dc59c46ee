import { locale } from './language.ts'

/** A whole percentage in the reader's notation: `1,460%`. */
export const formatPercent = (percent: number): string =>
  new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 0 }).format(
    percent / 100,
  )

/** The interest of a term in the reader's notation, exact to the basis point: `12.5%`. */
export const formatRate = (basisPoints: number): string =>
  new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 2 }).format(
    basisPoints / 10_000,
  )

/** A date format, made at its first use. Making one takes longer than many uses. */
export const dateFormat = (options: Intl.DateTimeFormatOptions): (() => Intl.DateTimeFormat) => {
  let format: Intl.DateTimeFormat | undefined
  return () => {
    format ??= new Intl.DateTimeFormat(locale(), options)
    return format
  }
}

/** Begins a sentence with the word. */
export const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

const time = dateFormat({ hour: 'numeric', minute: '2-digit' })

/** A time of today: `2:32 PM`. */
export const timeOfDay = (at: Date): string => time().format(at)

const moment = dateFormat({ dateStyle: 'medium', timeStyle: 'short' })

/** A moment within a sentence: `Jan 31, 2026, 2:32 PM`. */
export const formatMoment = (at: Date): string => moment().format(at)
