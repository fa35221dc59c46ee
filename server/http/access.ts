import type { Access, Endpoint } from '@pool/contract/endpoint'
import { refusal } from '@pool/contract/refusals'
import type { Reader } from '@pool/contract/stories'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { Session } from '../sessions/sessions.ts'

/** Bearer token of a request. Undefined when there is none. */
export const bearerToken = (request: FastifyRequest): string | undefined =>
  /^Bearer ([\w-]{1,200})$/i.exec(request.headers.authorization ?? '')?.[1]

/** True for admins and super admins. */
export const isStaff = ({ roles }: Session): boolean =>
  roles.includes('ADMIN') || roles.includes('SUPER_ADMIN')

const allows: Readonly<Record<Exclude<Access, 'public'>, (session: Session) => boolean>> = {
  user: () => true,
  staff: isStaff,
  superAdmin: ({ roles }) => roles.includes('SUPER_ADMIN'),
}

type Guarded = Pick<Endpoint, 'streams' | 'movesMoney'> & {
  readonly access: Exclude<Access, 'public'>
}

/**
 * Money calls of investors may use a cached session, since posting checks it again at the commit.
 * Decisions need the current role, so they look the session up.
 */
const lookUpOf = ({ access, streams, movesMoney }: Guarded): 'find' | 'findCached' | 'peek' => {
  if (streams) return 'peek'
  return movesMoney && access === 'user' ? 'findCached' : 'find'
}

/**
 * Returns the session of a request with the right to this call. Streams do not prolong it (T20).
 * Throws `unauthenticated` without a valid token, `forbidden` without the right.
 */
export const authorize = async (
  { sessions }: Pick<Context, 'sessions'>,
  endpoint: Guarded,
  request: FastifyRequest,
): Promise<Session> => {
  const token = bearerToken(request)
  const session = token === undefined ? undefined : await sessions[lookUpOf(endpoint)](token)
  if (!session) throw refusal('unauthenticated')
  // Set before the check, so that the log of a refusal can name the user.
  request.session = session
  if (!allows[endpoint.access](session)) throw refusal('forbidden')
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
