/** Places for calls with a password, so that each of them ends within seconds. */
import { refusal } from '@pool/contract/base/refusals'
import { subscriberOf } from '../../base/sessions/ipRange.ts'

/** Most calls with a password in progress. At 50 ms each, the last waits a few seconds. */
const PLACES = 64
/** Most of them for one range of IP addresses, and of those that the throttle still counts. */
const PLACES_OF_ONE = 8

let taken = 0
const ofRange = new Map<string, number>()

/** A call that the throttle admits before it takes a place. */
export type Limited = {
  readonly ip: string
  /** Counts the call, or throws. */
  readonly admit?: () => Promise<void>
  /** Uncounts a call that found no place. */
  readonly takeBack?: () => Promise<void>
}

/**
 * Runs a call with a password. One range of IP addresses cannot take all places, and a call that
 * the throttle refuses takes none. Throws `busy` without a place, and the call does not count.
 */
export const withPlace = async <T>(
  limited: Limited | undefined,
  work: () => Promise<T>,
): Promise<T> => {
  if (taken >= PLACES) throw refusal('busy')
  if (!limited) return countingPlace(work)
  const { ip, admit, takeBack } = limited
  return withinRange(subscriberOf(ip), async () => {
    await admit?.()
    if (taken >= PLACES) {
      await takeBack?.()
      throw refusal('busy')
    }
    return countingPlace(work)
  })
}

const countingPlace = async <T>(work: () => Promise<T>): Promise<T> => {
  taken += 1
  try {
    return await work()
  } finally {
    taken -= 1
  }
}

const withinRange = async <T>(range: string, work: () => Promise<T>): Promise<T> => {
  const before = ofRange.get(range) ?? 0
  if (before >= PLACES_OF_ONE) throw refusal('busy')
  ofRange.set(range, before + 1)
  try {
    return await work()
  } finally {
    const others = (ofRange.get(range) ?? 1) - 1
    if (others > 0) ofRange.set(range, others)
    else ofRange.delete(range)
  }
}
