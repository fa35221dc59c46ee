/**
 * The access of each route (docs/product.md 3.1). Guards choose what is drawn; the server decides
 * what may be done.
 */
import { type ReactNode, useEffect } from 'react'
import { Navigate } from 'react-router'
import { isStaff, useSession } from '../session/store.ts'

type Guarded = { readonly children: ReactNode }

/** Signed-out visitors go to the landing page, or to /login after a 401. */
const SignedOut = ({ expired }: { expired: boolean }) => (
  <Navigate to={expired ? '/login' : '/'} replace />
)

/**
 * Pages of any signed-in user. An unknown session draws them, since prerendered pages hold their
 * frame.
 */
export const RequireLogin = ({ children }: Guarded) => {
  const session = useSession()
  return session.status !== 'out' ? children : <SignedOut expired={session.expired} />
}

const NotStaff = () => {
  useEffect(() => console.warn('This page is for admins only.'), [])
  return <Navigate to="/dashboard" replace />
}

/** Pages of admins and super admins. Other roles go to their dashboard. */
export const RequireStaff = ({ children }: Guarded) => {
  const session = useSession()
  if (session.status === 'out') return <SignedOut expired={session.expired} />
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
