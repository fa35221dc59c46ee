/**
 * The access column of the route table (docs/product.md 3.1). They choose what is drawn; the server
 * decides what may be done.
 */
import { type ReactNode, useEffect } from 'react'
import { Navigate } from 'react-router'
import { isStaff, useSession } from '../session/store.ts'

type Guarded = { readonly children: ReactNode }

/** A signed-out visitor goes to the landing page, or to /login when a 401 ended the session. */
const SignedOut = ({ expired }: { expired: boolean }) => (
  <Navigate to={expired ? '/login' : '/'} replace />
)

/**
 * For pages of anyone signed in. Drawn while the session is not known yet, like the others: a
 * prerendered page is its frame then.
 */
export const RequireLogin = ({ children }: Guarded) => {
  const session = useSession()
  return session.status !== 'out' ? children : <SignedOut expired={session.expired} />
}

const NotStaff = () => {
  useEffect(() => console.warn('This page is for admins only.'), [])
  return <Navigate to="/dashboard" replace />
}

/** For pages of admins and super admins; other roles go to their dashboard. */
export const RequireStaff = ({ children }: Guarded) => {
  const session = useSession()
  if (session.status === 'out') return <SignedOut expired={session.expired} />
  return session.status === 'unknown' || isStaff(session.user) ? children : <NotStaff />
}

/**
 * For /login and /register. Drawn while the session is not known yet, so that the prerendered page
 * shows at once.
 */
export const LoggedOutOnly = ({ children }: Guarded) => {
  const session = useSession()
  return session.status === 'in' ? <Navigate to="/dashboard" replace /> : children
}
