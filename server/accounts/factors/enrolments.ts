/**
 * Enrolments of authenticator apps, held by the client between two calls. An enrolment has a MAC
 * over its user and session, so that it ends with the session, and nothing is stored.
 */
import type { Keys } from '../../base/keys/keys.ts'
import type { Caller } from '../../base/sessions/actor.ts'
import type { Place } from './secrets.ts'

/** Milliseconds for which an app can be confirmed. */
const ENROLMENT_MS = 600_000

const contentOf = ({ id: userId, session = '' }: Caller, place: string, until: string): string =>
  [userId, session, place, until].join(' ')

/** Begins to enrol the app with the secret at this place. */
export const newEnrolment = (keys: Keys, by: Caller, { id, keyId }: Place): string => {
  const place = `${id}.${keyId}`
  const until = String(Date.now() + ENROLMENT_MS)
  return `${place}.${until}.${keys.sign('totp enrolment', contentOf(by, place, until))}`
}

/** The place of an enrolment that this session began a moment ago. Undefined for any other. */
export const placeOf = (keys: Keys, by: Caller, enrolment: string): Place | undefined => {
  const [id = '', keyId = '', until = '', mac = ''] = enrolment.split('.')
  const content = contentOf(by, `${id}.${keyId}`, until)
  const isOwn = keys.verify('totp enrolment', content, mac) === 'valid'
  return isOwn && Date.now() < Number(until) ? { id, keyId } : undefined
}
