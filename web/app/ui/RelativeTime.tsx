import { locale } from '../i18n/language.ts'
import { exactOnHover } from './DateTime.tsx'
import { useNow } from './useNow.ts'

const relative = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' })

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

/** Nearly a whole day counts as a day. */
const ALMOST = 0.98

/** The distance of a moment in its largest unit: 'in 3 days'. */
export const howFar = (at: Date, now: Date): string => {
  const distance = at.getTime() - now.getTime()
  const [unit, length] =
    units.find(([, milliseconds]) => Math.abs(distance) >= milliseconds * ALMOST) ?? units[3]
  return relative.format(Math.round(distance / length), unit)
}

/** A moment as its distance from now, with the exact moment on hover. */
export const RelativeTime = ({ at }: { at: Date }) => {
  const now = useNow()
  return (
    <time dateTime={at.toISOString()} {...exactOnHover(at)}>
      {howFar(at, now)}
    </time>
  )
}
