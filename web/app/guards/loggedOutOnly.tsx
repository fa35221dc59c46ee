import { Outlet } from 'react-router'
import { LoggedOutOnly } from '../session/guards.tsx'

export default function Guard() {
  return (
    <LoggedOutOnly>
      <Outlet />
    </LoggedOutOnly>
  )
}
