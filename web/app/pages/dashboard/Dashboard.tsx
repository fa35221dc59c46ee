import { lazy, Suspense } from 'react'
import { isStaff } from '../../session/guards.tsx'
import { useSessionUser } from '../../session/store.ts'
import { LoadingPage } from '../../ui/LoadingPage.tsx'

// Apart, so that nobody's browser fetches the code of the other dashboard.
const AdminDashboard = lazy(() => import('../admin/AdminDashboard.tsx'))
const UserDashboard = lazy(async () => ({ default: (await import('./UserDashboard.tsx')).UserDashboard }))

/** The dashboard of whoever is signed in (spec §2). */
export default function Dashboard() {
  const user = useSessionUser()
  // Gone for the moment between a logout and the guard's redirect.
  if (!user) return null
  return <Suspense fallback={<LoadingPage />}>{isStaff(user) ? <AdminDashboard /> : <UserDashboard user={user} />}</Suspense>
}
