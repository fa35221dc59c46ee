import { Outlet } from 'react-router'
import { Stories } from '../pages/story/Stories.tsx'
import { RequireStaff } from '../session/guards.tsx'

export default function Guard() {
  return (
    <RequireStaff>
      <Outlet />
      <Stories />
    </RequireStaff>
  )
}
