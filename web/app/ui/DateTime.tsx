import { common } from '../i18n/common.ts'
import { locale } from '../i18n/language.ts'

const moment = new Intl.DateTimeFormat(locale(), { month: 'short', day: 'numeric', year: 'numeric', hour: 'numeric', minute: '2-digit' })
const exact = new Intl.DateTimeFormat(locale(), { dateStyle: 'full', timeStyle: 'long' })
const zone = new Intl.DateTimeFormat(locale(), { timeZoneName: 'longGeneric' })
// A calendar day is the same day everywhere; read in another zone it could be the day before.
const day = new Intl.DateTimeFormat(locale(), { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' })

// '6:59' and 'AM' do not part at the end of a line.
const keptTogether = (text: string): string => text.replace(/\s(?=[AP]M$)/, '\u00a0')

/** A moment in the reader's time zone with its seconds and the zone's name. */
export const exactMoment = (at: Date): string => exact.format(at)

/** The name of the reader's time zone. */
export const zoneName = (at: Date): string => zone.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? ''

/** A moment in the reader's time zone, its seconds and zone on hover; a calendar day where `isDay`. 'N/A' where there is none (spec §2). */
export const DateTime = ({ at, isDay = false }: { at: Date | null; isDay?: boolean }) => {
  if (!at) return common('notAvailable')
  if (isDay) return <time dateTime={at.toISOString().slice(0, 10)}>{day.format(at)}</time>
  return (
    <time dateTime={at.toISOString()} title={exactMoment(at)}>
      {keptTogether(moment.format(at))}
    </time>
  )
}
