import { READING_KEY } from '@pool/contract/accounts/readingKeys'
import type { Access, Endpoint } from '@pool/contract/base/endpoint'
import { type Refusal, refusal } from '@pool/contract/base/refusals'
import type { Reader } from '@pool/contract/requests/stories'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../../base/configuration/config.ts'
import type { Session } from '../../base/sessions/sessions.ts'
import type { WithConfig, WithSessions } from '../context.ts'
import { inTime } from './bounded.ts'
import { requireReadingPace } from './readingPace.ts'

/** Bearer token of a request. Undefined when there is none. */
export const bearerToken = (request: FastifyRequest): string | undefined =>
  /^Bearer ([\w-]{1,200})$/i.exec(request.headers.authorization ?? '')?.[1]

/** True for users who read all and write nothing but what concerns their own account. */
export const isAuditor = ({ roles }: Session): boolean => roles.includes('AUDITOR')

/** True for admins, super admins and auditors. */
export const isStaff = ({ roles }: Session): boolean => roles.some((role) => role !== 'USER')

const allows: Readonly<Record<Exclude<Access, 'public'>, (session: Session) => boolean>> = {
  user: () => true,
  staff: isStaff,
  superAdmin: ({ roles }) => roles.includes('SUPER_ADMIN'),
}

type Guarded = Pick<
  Endpoint,
  | 'method'
  | 'streams'
  | 'movesMoney'
  | 'stepUp'
  | 'withoutFactor'
  | 'ownAccount'
  | 'whileFrozen'
  | 'forReadingKeys'
> & {
  readonly access: Exclude<Access, 'public'>
}

/** Asks for AUDITOR first, so that it takes away what other roles would give (T44). */
const admits = ({ method, access, ownAccount }: Guarded, session: Session): boolean =>
  isAuditor(session) ? method === 'GET' || ownAccount === true : allows[access](session)

/**
 * Money calls of investors may use a cached session, since posting checks it again at the commit.
 * Decisions need the current role, so they look the session up.
 */
const lookUpOf = ({ access, streams, movesMoney }: Guarded): 'find' | 'findCached' | 'peek' => {
  if (streams) return 'peek'
  return movesMoney && access === 'user' ? 'findCached' : 'find'
}

/** Staff need a second factor in live mode (docs/decisions/027). */
export const needsFactor = ({ poolMode }: Pick<Config, 'poolMode'>, session: Session): boolean =>
  poolMode === 'live' && isStaff(session)

/** True for a call that a frozen account may not make. Reading goes on. */
const isBarredByFreeze = ({ method, whileFrozen }: Guarded, { frozen }: Session): boolean =>
  frozen && method !== 'GET' && !whileFrozen

/** True where a factor must be added first: by some staff, and in place of a leaked app. */
const mustEnrol = (
  config: Pick<Config, 'poolMode'>,
  { withoutFactor }: Guarded,
  session: Session,
): boolean => {
  if (withoutFactor) return false
  const { factors, hasLeakedApp, everProven } = session
  return (hasLeakedApp && !everProven) || (factors.length === 0 && needsFactor(config, session))
}

/**
 * True for users without a second factor, and for those who proved one a moment ago. With an app of
 * a leaked key alone, a call that adds a factor needs the password in place of one.
 */
const isProven = (
  { withoutFactor }: Guarded,
  { factors, hasLeakedApp, factorUntil }: Session,
): boolean =>
  performance.now() < factorUntil ||
  (factors.length === 0 && (!hasLeakedApp || withoutFactor === true))

/** The refusal of a call for want of a factor. */
const factorRefusal = (
  config: Pick<Config, 'poolMode'>,
  endpoint: Guarded,
  session: Session,
): Refusal | undefined => {
  if (mustEnrol(config, endpoint, session)) return refusal('enrolFactor')
  if (!endpoint.stepUp || isProven(endpoint, session)) return undefined
  const { factors: kinds } = session
  return kinds.length === 0 ? refusal('enrolFactor') : refusal('factorNeeded', { kinds })
}

/**
 * Counts calls that the key may not make, too. Later portions of a streamed response count as one
 * call. Throws `unauthenticated`, `tooManyReadingCalls` and `readingKeyOnly`.
 */
const authorizeKey = async (
  { config, sessions }: WithConfig & WithSessions,
  { forReadingKeys, streams }: Guarded,
  request: FastifyRequest,
  key: string,
): Promise<Session> => {
  const session = await sessions.findByKey(key)
  if (!session) throw refusal('unauthenticated')
  request.session = session
  const isPortion = streams && forReadingKeys
  if (config.rateLimits && !isPortion) requireReadingPace(session.hash)
  if (!forReadingKeys) throw refusal('readingKeyOnly')
  return session
}

/**
 * Returns the session of a request with the right to this call, which streams do not prolong (T20).
 * Throws `unauthenticated`, `forbidden`, `accountFrozen`, `enrolFactor` or `factorNeeded`.
 */
export const authorize = async (
  { config, sessions }: WithConfig & WithSessions,
  endpoint: Guarded,
  request: FastifyRequest,
): Promise<Session> => {
  const token = bearerToken(request)
  if (token?.startsWith(READING_KEY))
    return authorizeKey({ config, sessions }, endpoint, request, token)
  const way = lookUpOf(endpoint)
  const lookUp = async (by: typeof way): Promise<Session> => {
    if (token === undefined) throw refusal('unauthenticated')
    const session = await sessions[by](token)
    if (!session) throw refusal('unauthenticated')
    // Set before the checks, so that the log of a refusal can name the user.
    request.session = session
    return session
  }
  const found = await lookUp(way)
  if (!admits(endpoint, found)) throw refusal('forbidden')
  if (isBarredByFreeze(endpoint, found)) throw refusal('accountFrozen')
  const refused = factorRefusal(config, endpoint, found)
  if (!refused) return found
  // A factor may have been proven or added on another node after this session was cached.
  if (way !== 'findCached') throw refused
  const session = await lookUp('find')
  const stillRefused = factorRefusal(config, endpoint, session)
  if (stillRefused) throw stillRefused
  return session
}

/** The session of staff of a public call, not prolonged. Undefined for any other caller. */
export const staffOf = async (
  context: WithConfig & WithSessions,
  request: FastifyRequest,
): Promise<Session | undefined> => {
  const asked = { method: 'GET', access: 'staff', streams: true } as const
  try {
    return await inTime(authorize(context, asked, request))
  } catch {
    // Set before the checks. The answer and the log are those of everybody.
    request.session = undefined
    return undefined
  }
}

/** Refuses calls for another user (docs/threats.md T2). Throws `forbidden`. */
export const requireOwn = (session: Session, userId: string): void => {
  if (session.userId !== userId.toLowerCase()) throw refusal('forbidden')
}

/** The reader of a story, which decides its words. */
export const readerOf = (session: Session): Reader => ({
  userId: session.userId,
  isStaff: isStaff(session),
})

/** User whose transactions a session may list. Undefined means all, for staff. */
export const visibleUser = (session: Session): string | undefined =>
  isStaff(session) ? undefined : session.userId
