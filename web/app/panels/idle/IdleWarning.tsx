import { type ComponentType, useEffect, useState } from 'react'
import { useIdleClock } from '../../session/idle.ts'
import { endFor, logout } from '../../session/store.ts'
import type { IdleNoticeProps } from './IdleNotice.tsx'

/** Warns of the idle timeout, counts down, and logs out at zero (docs/product.md 3.17). */
export const IdleWarning = () => {
  const { left, stay } = useIdleClock(() => endFor('idle'))
  const [Notice, setNotice] = useState<ComponentType<IdleNoticeProps> | null>(null)
  const due = left !== null && left > 0

  // Fetches its code when it is due. Without it the clock still runs.
  useEffect(() => {
    if (!due) return
    import('./IdleNotice.tsx').then(
      ({ IdleNotice }) => setNotice(() => IdleNotice),
      () => undefined,
    )
  }, [due])

  return due && Notice ? <Notice left={left} onStay={stay} onLogout={logout} /> : null
}
