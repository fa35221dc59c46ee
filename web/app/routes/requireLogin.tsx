import { Outlet } from 'react-router'
import { Stories } from '../panels/story/Stories.tsx'
import { RequireLogin } from './guards.tsx'

export default function Guard() {
  return (
    <RequireLogin>
      <Outlet />
      <Stories />
    </RequireLogin>
  )
}
