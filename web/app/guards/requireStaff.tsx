import { Outlet } from 'react-router'
import { RequireStaff } from '../session/guards.tsx'

export default function Guard() {
  return (
    <RequireStaff>
      <Outlet />
    </RequireStaff>
  )
}
