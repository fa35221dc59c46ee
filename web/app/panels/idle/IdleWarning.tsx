import { type ComponentType, useEffect, useState } from 'react'
import { useIdleClock } from '../../session/idle.ts'
import { logout } from '../../session/store.ts'
import type { IdleNoticeProps } from './IdleNotice.tsx'

/** The idle-timeout warning (docs/product.md 3.17): counts down, and logs out at zero. */
export const IdleWarning = () => {
  const { left, stay } = useIdleClock(logout)
  const [Notice, setNotice] = useState<ComponentType<IdleNoticeProps> | null>(null)
  const due = left !== null && left > 0

  // Seldom seen, and of many parts: it comes when it is due. Where it cannot be fetched the clock
  // runs on all the same.
  useEffect(() => {
    if (!due) return
    import('./IdleNotice.tsx').then(
      ({ IdleNotice }) => setNotice(() => IdleNotice),
      () => undefined,
    )
  }, [due])

  return due && Notice ? <Notice left={left} onStay={stay} onLogout={logout} /> : null
}
