import { Outlet } from 'react-router'
import { Framed } from '../panels/map/Framed.tsx'
import { Stories } from '../panels/story/Stories.tsx'
import { RequireStaff } from './guards.tsx'

export default function Guard() {
  return (
    <RequireStaff>
      <Framed>
        <Outlet />
        <Stories />
      </Framed>
    </RequireStaff>
  )
}
