import { locale } from './language.ts'

/** A percentage as the reader writes it, in whole percents: `1,460%`. */
export const formatPercent = (percent: number): string =>
  new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 0 }).format(
    percent / 100,
  )

/**
 * A format of dates for the reader, made when it is first needed: making one takes longer than
 * drawing many dates with it.
 */
export const dateFormat = (options: Intl.DateTimeFormatOptions): (() => Intl.DateTimeFormat) => {
  let format: Intl.DateTimeFormat | undefined
  return () => {
    format ??= new Intl.DateTimeFormat(locale(), options)
    return format
  }
}

/** A word at the beginning of a sentence. */
export const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
