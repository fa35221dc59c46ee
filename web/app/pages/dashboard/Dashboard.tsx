import { lazy, memo, Suspense, useDeferredValue } from 'react'
import { LoadingPage } from '../../layout/LoadingPage.tsx'
import { isStaff, type Session, useSession } from '../../session/store.ts'
import { Frame } from './Frame.tsx'

// Split, so that no browser fetches the other dashboard.
const AdminDashboard = lazy(() => import('../admin/AdminDashboard.tsx'))
const UserDashboard = lazy(async () => ({
  default: (await import('./UserDashboard.tsx')).UserDashboard,
}))

/** Drawn again for another session only. Otherwise any change would draw all the rest at once. */
const DashboardOf = memo(({ session }: { session: Session }) => {
  if (session.status === 'unknown') return <Frame />
  // Null between a logout and the guard's redirect.
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

/** The dashboard of the signed-in user (docs/product.md 3.1). */
export default function Dashboard() {
  // Deferred, so that the dashboard replaces its frame in turns.
  return <DashboardOf session={useDeferredValue(useSession())} />
}
