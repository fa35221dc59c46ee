import type { Session } from './sessions.ts'

/**
 * The actor of an audit entry: a caller by `id` and `name`, or a name alone. `from` is an IP or a
 * place. `session` is the hash of a session that must live at the commit.
 */
export type Actor = {
  readonly id?: string
  readonly name: string
  readonly from: string
  readonly session?: string | undefined
}

/** A signed-in actor. */
export type Caller = Actor & { readonly id: string }

/** The caller with this session, at an IP address. */
export const callerOf = ({ hash, userId, username }: Session, from: string): Caller => ({
  id: userId,
  name: username,
  from,
  session: hash,
})
