import { Outlet } from 'react-router'
import { RequireLogin } from '../session/guards.tsx'

export default function Guard() {
  return (
    <RequireLogin>
      <Outlet />
    </RequireLogin>
  )
}
