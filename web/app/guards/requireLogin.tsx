import { Outlet } from 'react-router'
import { Stories } from '../pages/story/Stories.tsx'
import { RequireLogin } from '../session/guards.tsx'

export default function Guard() {
  return (
    <RequireLogin>
      <Outlet />
      <Stories />
    </RequireLogin>
  )
}
