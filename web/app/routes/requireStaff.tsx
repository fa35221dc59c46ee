import { Outlet } from 'react-router'
import { Stories } from '../panels/story/Stories.tsx'
import { RequireStaff } from './guards.tsx'

export default function Guard() {
  return (
    <RequireStaff>
      <Outlet />
      <Stories />
    </RequireStaff>
  )
}
