/**
 * The screen's names of the contract's words. An unknown word stays as it came (docs/product.md
 * 3.19).
 */

import { formatDollars } from '@pool/contract/base/money'
import { statusTones } from '@pool/contract/base/statuses'
import type { Tone } from '@pool/contract/base/tones'
import { BREAK_REASON, LOSS_REASON, WIND_DOWN_REASON } from '@pool/contract/money/pauses'
import { defaultReason } from '@pool/contract/requests/decisions'
import { CANCELLED, DEFAULT_DESTINATION } from '@pool/contract/requests/requests'
import { typeFacts } from '@pool/contract/requests/transactions'
import { common } from './common.ts'
import { capitalized, formatMoment } from './format.ts'

const knownIn = <Facts extends object>(facts: Facts, word: string) =>
  Object.hasOwn(facts, word) ? (word as Extract<keyof Facts, string>) : undefined

/** A status in capitals. */
export const statusName = (status: string): string => {
  const known = knownIn(statusTones, status.toUpperCase())
  return known ? common(`status.${known}`) : status
}

/** A status in sentence case, as in a choice. */
export const statusChoice = (status: string): string =>
  capitalized(statusName(status).toLowerCase())

export const statusTone = (status: string): Tone => {
  const known = knownIn(statusTones, status.toUpperCase())
  return known ? statusTones[known] : 'grey'
}

/** A type of transaction in small letters. */
export const typeName = (type: string): string => {
  const known = knownIn(typeFacts, type)
  return known ? common(`type.${known}`) : type
}

export const typeTone = (type: string): Tone => {
  const known = knownIn(typeFacts, type)
  return known ? typeFacts[known].tone : 'grey'
}

/** A withdrawal's destination, with a name for the Default Address. */
export const destinationName = (destination: string): string =>
  destination === DEFAULT_DESTINATION ? common('defaultDestination') : destination

/** The reason of a pause, with words of the reader for the product's own. */
export const pauseReason = (reason: string): string => {
  if (reason === BREAK_REASON) return common('reason.break')
  if (reason === WIND_DOWN_REASON) return common('reason.windDown')
  return reason === LOSS_REASON ? common('reason.loss') : reason
}

type Sharing = { readonly amount: number | null; readonly countsAt: Date | null }

/** The sentence that tells of an announced sharing of a loss, if a pause has one. */
export const announcedIn = (pauses: readonly { readonly sharing: Sharing }[]): string | null => {
  const { amount, countsAt } = pauses.find(({ sharing }) => sharing.countsAt)?.sharing ?? {}
  return amount && countsAt
    ? common('reason.loss.shared', { amount: formatDollars(amount), at: formatMoment(countsAt) })
    : null
}

/** A reason for a rejection, with names for the two defaults. */
export const reasonName = (reason: string): string => {
  if (reason === CANCELLED) return common('reason.cancelled')
  if (reason === defaultReason.reject) return common('reason.reject')
  return reason === defaultReason.rejectApproval ? common('reason.rejectApproval') : reason
}

/** A text without its full stop, for a sentence that brings its own. */
export const withoutStop = (text: string): string => text.replace(/[\s.。]+$/u, '')
