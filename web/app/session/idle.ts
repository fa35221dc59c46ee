/**
 * The idle clock: one moment of last activity, shared by all tabs (docs/product.md 8.6). Decision 3
 * says why it is our own.
 */
import {
  IDLE_LOGOUT_MS,
  IDLE_WARNING_MS,
  idleResettingEvents,
} from '@pool/contract/accounts/session'
import { useEffect, useRef, useState } from 'react'
import { otherTabs } from './otherTabs.ts'

/** Seconds until the logout once the warning is due, else null. */
export const secondsLeft = (lastActivity: number, now: number): number | null => {
  const left = IDLE_LOGOUT_MS - (now - lastActivity)
  if (left > IDLE_WARNING_MS) return null
  return Math.max(0, Math.ceil(left / 1000))
}

/**
 * Events without intent. During the warning they do not count: a hand on its way to 'Logout Now'
 * must not remove the button.
 */
const passiveEvents: ReadonlySet<string> = new Set(['mousemove', 'scroll', 'focus'])

/** Marks the warning: its buttons do not count as activity. */
export const WARNING_ATTRIBUTE = 'data-idle-warning'

const isInsideWarning = ({ target }: Event): boolean =>
  target instanceof Element && target.closest(`[${WARNING_ATTRIBUTE}]`) !== null

/** The least time between two messages to other tabs. */
const ANNOUNCE_MS = 1_000

/**
 * Runs the idle clock while mounted. Returns the seconds left or null, and `stay`, which counts as
 * activity. Calls `onIdle` once.
 */
export const useIdleClock = (
  onIdle: () => void,
): { readonly left: number | null; readonly stay: () => void } => {
  const [left, setLeft] = useState<number | null>(null)
  const stay = useRef<() => void>(() => undefined)
  const idle = useRef(onIdle)
  idle.current = onIdle

  useEffect(() => {
    let lastActivity = Date.now()
    let announced = 0
    let over = false

    const look = () => {
      const seconds = secondsLeft(lastActivity, Date.now())
      setLeft(seconds)
      if (seconds !== 0 || over) return
      over = true
      idle.current()
    }
    const beActive = () => {
      lastActivity = Date.now()
      if (lastActivity - announced >= ANNOUNCE_MS) {
        announced = lastActivity
        others.tell(lastActivity)
      }
      look()
    }
    const onEvent = (event: Event) => {
      const seconds = secondsLeft(lastActivity, Date.now())
      // A session that expired while the machine slept stays expired.
      if (seconds === 0) return look()
      if (seconds !== null && (passiveEvents.has(event.type) || isInsideWarning(event))) return
      beActive()
    }
    const others = otherTabs((moment) => {
      if (moment > lastActivity) lastActivity = Math.min(moment, Date.now())
      look()
    })

    stay.current = beActive
    beActive()
    const timer = setInterval(look, 1_000)
    const listening = { capture: true, passive: true }
    for (const type of idleResettingEvents) window.addEventListener(type, onEvent, listening)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      for (const type of idleResettingEvents) window.removeEventListener(type, onEvent, listening)
      document.removeEventListener('visibilitychange', look)
      others.close()
    }
  }, [])

  return { left, stay: () => stay.current() }
}
