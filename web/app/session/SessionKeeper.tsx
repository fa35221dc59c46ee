import { notifications } from '@mantine/notifications'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { onUnauthorized } from '../api/bearer.ts'
import { useCurrentUser } from '../api/users.ts'
import { localized } from '../i18n/localized.ts'
import { IdleWarning } from './IdleWarning.tsx'
import { followOtherTabs, refreshUser, useSessionUser } from './store.ts'

/** Looks the user up at start and every five minutes. A 401 ends the session; after any other failure storage stands (spec §4). */
const Recheck = ({ username }: { username: string }) => {
  const { data } = useCurrentUser(username)
  useEffect(() => {
    if (!data) return
    const { firstName, lastName, createdAt, updatedAt, role, hasRoles } = data
    refreshUser({ firstName, lastName, createdAt, updatedAt, role: hasRoles ? role : null })
  }, [data])
  return null
}

/** Watches over the session; mounted once, inside the router and the query client's provider, beside the pages. */
export const SessionKeeper = () => {
  const user = useSessionUser()
  const navigate = useNavigate()
  useEffect(followOtherTabs, [])
  useEffect(
    () =>
      onUnauthorized((message) => {
        notifications.show({ color: 'red', message: localized(message) })
        void navigate('/login', { replace: true })
      }),
    [navigate],
  )
  return user ? (
    <>
      <Recheck username={user.email} />
      <IdleWarning />
    </>
  ) : null
}
