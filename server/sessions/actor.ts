import type { Session } from './sessions.ts'

/**
 * The one who acts, for the record: a caller by `id` and `name`, else a name alone. `from` is the
 * IP address, or the place. `session` is the hash of the session that must live at the commit.
 */
export type Actor = {
  readonly id?: string
  readonly name: string
  readonly from: string
  readonly session?: string | undefined
}

/** A signed-in user who acts. */
export type Caller = Actor & { readonly id: string }

/** The caller of a session, from an IP address. */
export const callerOf = ({ hash, userId, username }: Session, from: string): Caller => ({
  id: userId,
  name: username,
  from,
  session: hash,
})
