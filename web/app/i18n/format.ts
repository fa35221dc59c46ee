import { locale } from './language.ts'

/** A percentage as the reader writes it, in whole percents: `1,460%`. */
export const formatPercent = (percent: number): string =>
  new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 0 }).format(percent / 100)
