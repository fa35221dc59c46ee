import type { Access, Endpoint } from '@pool/contract/endpoint'
import { refusal } from '@pool/contract/refusals'
import type { Reader } from '@pool/contract/stories'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import type { Session } from '../sessions/sessions.ts'

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
  'method' | 'streams' | 'movesMoney' | 'stepUp' | 'withoutFactor' | 'ownAccount'
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

/** True for users without a second factor, and for those who proved one a moment ago. */
const isProven = ({ factors, factorUntil }: Session): boolean =>
  factors.length === 0 || performance.now() < factorUntil

/**
 * Returns the session of a request with the right to this call, which streams do not prolong (T20).
 * Throws `unauthenticated`, `forbidden`, `enrolFactor` or `factorNeeded`.
 */
export const authorize = async (
  { config, sessions }: Pick<Context, 'config' | 'sessions'>,
  endpoint: Guarded,
  request: FastifyRequest,
): Promise<Session> => {
  const token = bearerToken(request)
  const way = lookUpOf(endpoint)
  const lookUp = async (by: typeof way): Promise<Session> => {
    const session = token === undefined ? undefined : await sessions[by](token)
    if (!session) throw refusal('unauthenticated')
    // Set before the checks, so that the log of a refusal can name the user.
    request.session = session
    return session
  }
  const found = await lookUp(way)
  if (!admits(endpoint, found)) throw refusal('forbidden')
  if (!endpoint.withoutFactor && found.factors.length === 0 && needsFactor(config, found))
    throw refusal('enrolFactor')
  if (!endpoint.stepUp || isProven(found)) return found
  // A factor may have been proven on another node after this session was cached.
  const session = way === 'findCached' ? await lookUp('find') : found
  if (!isProven(session)) throw refusal('factorNeeded', { kinds: session.factors })
  return session
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
