import { Outlet } from 'react-router'
import { LoggedOutOnly } from './guards.tsx'

export default function Guard() {
  return (
    <LoggedOutOnly>
      <Outlet />
    </LoggedOutOnly>
  )
}
