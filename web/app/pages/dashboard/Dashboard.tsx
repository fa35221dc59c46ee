import { lazy, memo, Suspense, useDeferredValue } from 'react'
import { LoadingPage } from '../../layout/LoadingPage.tsx'
import { isStaff, type Session, useSession } from '../../session/store.ts'
import { Frame } from './Frame.tsx'

// Apart, so that nobody's browser fetches the code of the other dashboard.
const AdminDashboard = lazy(() => import('../admin/AdminDashboard.tsx'))
const UserDashboard = lazy(async () => ({
  default: (await import('./UserDashboard.tsx')).UserDashboard,
}))

/**
 * Drawn anew for another session only: what is not there yet would else be drawn in one go, at
 * whatever moment something else changes.
 */
const DashboardOf = memo(({ session }: { session: Session }) => {
  if (session.status === 'unknown') return <Frame />
  // Gone for the moment between a logout and the guard's redirect.
  if (session.status === 'out') return null
  const { user } = session
  return isStaff(user) ? (
    <Suspense fallback={<LoadingPage />}>
      <AdminDashboard />
    </Suspense>
  ) : (
    <Suspense fallback={<Frame />}>
      <UserDashboard user={user} />
    </Suspense>
  )
})

/** The dashboard of whoever is signed in (docs/product.md 3.1). */
export default function Dashboard() {
  // In turns, when the document's frame becomes the dashboard.
  return <DashboardOf session={useDeferredValue(useSession())} />
}
