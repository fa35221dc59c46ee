import { type ComponentType, useEffect, useState } from 'react'
import { common } from '../../i18n/common.ts'
import { useIdleClock, WARNING_ATTRIBUTE } from '../../session/idle.ts'
import { endFor, logout } from '../../session/store.ts'
import type { IdleNoticeProps } from './IdleNotice.tsx'

/** The warning without its own code. Closing it counts as activity. */
const plainNotice = async () => {
  const { Corner } = await import('../../loading/NotLoaded.tsx')
  return ({ left, onStay }: IdleNoticeProps) => (
    <div {...{ [WARNING_ATTRIBUTE]: true }}>
      <Corner onClose={onStay}>
        <p>{common('idle.left', { seconds: left })}</p>
      </Corner>
    </div>
  )
}

/** Warns of the idle timeout, counts down, and logs out at zero (docs/product.md 3.17). */
export const IdleWarning = () => {
  const { left, stay } = useIdleClock(() => endFor('idle'))
  const [Notice, setNotice] = useState<ComponentType<IdleNoticeProps> | null>(null)
  const due = left !== null && left > 0

  // Fetches its code when it is due. Without any the clock still runs.
  useEffect(() => {
    if (!due) return
    import('./IdleNotice.tsx')
      .then(({ IdleNotice }) => IdleNotice, plainNotice)
      .then(
        (notice) => setNotice(() => notice),
        () => undefined,
      )
  }, [due])

  return due && Notice ? <Notice left={left} onStay={stay} onLogout={logout} /> : null
}
