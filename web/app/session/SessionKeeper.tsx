import { type ReactNode, useEffect } from 'react'
import { useCurrentUser } from '../api/accounts/users.ts'
import { logFailure } from '../api/http/errors.ts'
import { late } from '../loading/missing.ts'
import { onceIdle } from '../loading/onceIdle.ts'
import { checkStored, followOtherTabs, refreshUser, useSessionUser } from './store.ts'

/**
 * Looks the user up at the start and every five minutes. Storage stands after any failure but a 401
 * (docs/product.md 8.5).
 */
const Recheck = ({ username }: { username: string }) => {
  const { data } = useCurrentUser(username, checkStored)
  useEffect(() => {
    if (!data) return
    const { firstName, lastName, dateCreated, lastUpdated, role, hasRoles, frozen } = data
    refreshUser({
      firstName,
      lastName,
      createdAt: dateCreated,
      updatedAt: lastUpdated,
      frozen,
      role: hasRoles ? role : null,
    })
  }, [data])
  return null
}

/** Follows changes by others. Its code is fetched once the page is idle. */
const Live = ({ userId }: { userId: string }) => {
  useEffect(() => {
    let left = false
    let end: (() => void) | undefined
    const start = async () => {
      const { announceChanges } = await late(() => import('./changes.ts'))
      if (!left) end = announceChanges(userId)
    }
    const callOff = onceIdle(
      () => void start().catch((error: unknown) => logFailure('Could not follow changes', error)),
    )
    return () => {
      left = true
      callOff()
      end?.()
    }
  }, [userId])
  return null
}

/** Watches the session. Mounted once, with children that need a signed-in user. */
export const SessionKeeper = ({ children }: { children: ReactNode }) => {
  const user = useSessionUser()
  useEffect(followOtherTabs, [])
  return user ? (
    <>
      <Recheck username={user.email} />
      {children}
      <Live userId={user.id} />
    </>
  ) : null
}
