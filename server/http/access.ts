import type { Access, Endpoint } from '@pool/contract/endpoint'
import { refusal } from '@pool/contract/refusals'
import type { Reader } from '@pool/contract/stories'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { Session } from '../sessions/sessions.ts'

/** The token that a request carries, if any. */
export const bearerToken = (request: FastifyRequest): string | undefined =>
  /^Bearer ([\w-]{1,200})$/i.exec(request.headers.authorization ?? '')?.[1]

/** Admins and super admins. */
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
 * Money calls of investors check their session again at the commit. Decisions do so, too, but their
 * right is a role, which must be that of this moment.
 */
const lookUpOf = ({ access, streams, movesMoney }: Guarded): 'find' | 'findCached' | 'peek' => {
  if (streams) return 'peek'
  return movesMoney && access === 'user' ? 'findCached' : 'find'
}

/**
 * The session of a request that may make this call. A stream only looks at its session: it does not
 * prolong it (docs/threats.md T20). Throws `unauthenticated` without a valid token, `forbidden`
 * without the right.
 */
export const authorize = async (
  { sessions }: Pick<Context, 'sessions'>,
  endpoint: Guarded,
  request: FastifyRequest,
): Promise<Session> => {
  const token = bearerToken(request)
  const session = token === undefined ? undefined : await sessions[lookUpOf(endpoint)](token)
  if (!session) throw refusal('unauthenticated')
  // Known from here on, so that a refusal can say of whom.
  request.session = session
  if (!allows[endpoint.access](session)) throw refusal('forbidden')
  return session
}

/**
 * Acting for another is refused: the subject of a call is its session (docs/threats.md T2). Throws
 * `forbidden`.
 */
export const requireOwn = (session: Session, userId: string): void => {
  if (session.userId !== userId.toLowerCase()) throw refusal('forbidden')
}

/** Who is told a story: its words depend on it. */
export const readerOf = (session: Session): Reader => ({
  userId: session.userId,
  isStaff: isStaff(session),
})

/** Whose transactions a session may list: staff everybody's (undefined), others their own. */
export const visibleUser = (session: Session): string | undefined =>
  isStaff(session) ? undefined : session.userId
