import { memo, useDeferredValue } from 'react'
import { LoadingPage } from '../../layout/LoadingPage.tsx'
import { onDemand } from '../../loading/onDemand.tsx'
import { isStaff, type Session, useSession } from '../../session/store.ts'
import { Frame } from './Frame.tsx'

// Split, so that no browser fetches the other dashboard.
const AdminDashboard = onDemand(async () => (await import('../admin/AdminDashboard.tsx')).default, {
  waiting: () => <LoadingPage />,
  missing: ({ PageNotLoaded }, failure) => <PageNotLoaded {...failure} />,
})
const UserDashboard = onDemand(async () => (await import('./UserDashboard.tsx')).UserDashboard, {
  waiting: () => <Frame />,
  missing: ({ PageNotLoaded }, failure) => <PageNotLoaded {...failure} />,
})

/** Drawn again for another session only. Otherwise any change would draw all the rest at once. */
const DashboardOf = memo(({ session }: { session: Session }) => {
  if (session.status === 'unknown') return <Frame />
  // Null between a logout and the guard's redirect.
  if (session.status === 'out') return null
  const { user } = session
  return isStaff(user) ? <AdminDashboard /> : <UserDashboard user={user} />
})

/** The dashboard of the signed-in user (docs/product.md 3.1). */
export default function Dashboard() {
  // Deferred, so that the dashboard replaces its frame in turns.
  return <DashboardOf session={useDeferredValue(useSession())} />
}
