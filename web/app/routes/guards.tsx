/**
 * The access of each route (docs/product.md 3.1). Guards choose what is drawn; the server decides
 * what may be done.
 */
import { type ReactNode, useEffect } from 'react'
import { Navigate } from 'react-router'
import { isStaff, type Session, useSession } from '../session/store.ts'

type Guarded = { readonly children: ReactNode }

/**
 * Visitors go to the landing page. After a session that ended by itself they go to /login, which
 * says why. No other place leads away from a page for its lost session.
 */
const SignedOut = ({ ending }: Extract<Session, { status: 'out' }>) => (
  <Navigate to={ending ? '/login' : '/'} replace />
)

/**
 * Pages of any signed-in user. An unknown session draws them, since prerendered pages hold their
 * frame.
 */
export const RequireLogin = ({ children }: Guarded) => {
  const session = useSession()
  return session.status !== 'out' ? children : <SignedOut {...session} />
}

const NotStaff = () => {
  useEffect(() => console.warn('This page is for admins only.'), [])
  return <Navigate to="/dashboard" replace />
}

/** Pages of admins and super admins. Other roles go to their dashboard. */
export const RequireStaff = ({ children }: Guarded) => {
  const session = useSession()
  if (session.status === 'out') return <SignedOut {...session} />
  return session.status === 'unknown' || isStaff(session.user) ? children : <NotStaff />
}

/**
 * Pages of signed-out visitors. An unknown session draws them, so that the prerendered page shows
 * at once.
 */
export const LoggedOutOnly = ({ children }: Guarded) => {
  const session = useSession()
  return session.status === 'in' ? <Navigate to="/dashboard" replace /> : children
}
