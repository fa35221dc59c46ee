import { locale } from '../i18n/language.ts'

const relative = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' })

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

const units = [
  ['day', DAY_MS],
  ['hour', 3_600_000],
  ['minute', MINUTE_MS],
  ['second', 1_000],
] as const

/** Nearly a whole day counts as a day. */
const ALMOST = 0.98

/** A distance in its largest unit, rounded: 3 days. Negative in the past. */
export const inLargestUnit = (distance: number) => {
  const [unit, length] =
    units.find(([, milliseconds]) => Math.abs(distance) >= milliseconds * ALMOST) ?? units[3]
  return { unit, count: Math.round(distance / length) }
}

/** The distance of a moment in its largest unit: 'in 3 days'. */
export const howFar = (at: Date, now: Date): string => {
  const { unit, count } = inLargestUnit(at.getTime() - now.getTime())
  return relative.format(count, unit)
}

/**
 * The age of a moment of the last day: '5 minutes ago'. Null for any other. A server's clock may be
 * a minute ahead.
 */
export const ageOf = (at: Date, now: Date): string | null => {
  const age = now.getTime() - at.getTime()
  if (age >= DAY_MS || age <= -MINUTE_MS) return null
  return age < MINUTE_MS ? relative.format(0, 'second') : howFar(at, now)
}
