import { lazy, Suspense } from 'react'
import { useIdleClock } from './idle.ts'
import { logout } from './store.ts'

// Seldom seen, and of many parts: it comes when it is due. Where it cannot be fetched the clock runs on all the same.
const IdleNotice = lazy(async () => {
  try {
    return { default: (await import('./IdleNotice.tsx')).IdleNotice }
  } catch {
    return { default: () => <></> }
  }
})

/** The idle-timeout warning (spec §2): counts down, and logs out at zero. */
export const IdleWarning = () => {
  const { left, stay } = useIdleClock(logout)
  if (left === null || left === 0) return null
  return (
    <Suspense>
      <IdleNotice left={left} onStay={stay} onLogout={logout} />
    </Suspense>
  )
}
