import { locale } from '../../i18n/language.ts'

/** A yearly rate in basis points as the reader writes it: `12.5%`. */
export const rateText = (basisPoints: number): string =>
  new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 2 }).format(
    basisPoints / 10_000,
  )

/** Reads a typed percentage as basis points. NaN for a text that is none. */
export const readRate = (typed: string): number => {
  const text = typed.trim().replace(/\s*%$/, '').replace(',', '.')
  return /^\d{1,3}(\.\d{1,2})?$/.test(text) ? Math.round(Number(text) * 100) : Number.NaN
}

/** Today's day in ISO text. Days of loans are those of UTC, as on the server. */
export const today = (): string => new Date().toISOString().slice(0, 10)

/** A rate as `readRate` reads it, for the field of a form. */
export const rateTyped = (basisPoints: number): string => String(basisPoints / 100)
