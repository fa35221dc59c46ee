import { common } from '../i18n/common.ts'
import { dateFormat } from '../i18n/format.ts'
import { howFar } from './age.ts'

const moment = dateFormat({
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})
const exact = dateFormat({ dateStyle: 'full', timeStyle: 'long' })
const zone = dateFormat({ timeZoneName: 'longGeneric' })
// A calendar day is read as UTC, or it could be the day before.
const day = dateFormat({ month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' })

// Keeps '6:59' and 'AM' on one line.
const keptTogether = (text: string): string => text.replace(/\s(?=[AP]M$)/, '\u00a0')

/** The title of a `<time>`: its moment with seconds, zone and age, written at each hover. */
export const exactOnHover = (at: Date) => ({
  onPointerEnter: ({ currentTarget }: { readonly currentTarget: HTMLElement }) => {
    currentTarget.title = `${exact().format(at)} (${howFar(at, new Date())})`
  },
})

/** The name of the reader's time zone. */
export const zoneName = (at: Date): string =>
  zone()
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value ?? ''

/**
 * A moment in the reader's time zone, or a calendar day. 'N/A' without one (docs/product.md 3.6).
 */
export const DateTime = ({ at, isDay = false }: { at: Date | null; isDay?: boolean }) => {
  if (!at) return common('notAvailable')
  if (isDay) return <time dateTime={at.toISOString().slice(0, 10)}>{day().format(at)}</time>
  return (
    <time dateTime={at.toISOString()} {...exactOnHover(at)}>
      {keptTogether(moment().format(at))}
    </time>
  )
}
