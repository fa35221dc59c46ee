import { Outlet } from 'react-router'
import { Framed } from '../panels/map/Framed.tsx'
import { Stories } from '../panels/story/Stories.tsx'
import { RequireLogin } from './guards.tsx'

export default function Guard() {
  return (
    <RequireLogin>
      <Framed>
        <Outlet />
        <Stories />
      </Framed>
    </RequireLogin>
  )
}
