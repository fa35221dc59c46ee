/**
 * The idle clock (docs/product.md 8.6): one moment of last activity, shared by all tabs, and a look
 * at the time every second.
 *
 * Our own, because the usual library counts tabs instead of sharing a moment: a tab that crashed
 * keeps every other one from ever logging out, timers that a browser slows down in hidden tabs
 * delay the warning for all, and a machine that slept through the limit wakes up with the money
 * still on the screen.
 */
import { IDLE_LOGOUT_MS, IDLE_WARNING_MS, idleResettingEvents } from '@pool/contract/session'
import { useEffect, useRef, useState } from 'react'

/**
 * Whole seconds until logout once the warning is due, 0 when it is time to log out; null while
 * there is no need to warn.
 */
export const secondsLeft = (lastActivity: number, now: number): number | null => {
  const left = IDLE_LOGOUT_MS - (now - lastActivity)
  if (left > IDLE_WARNING_MS) return null
  return Math.max(0, Math.ceil(left / 1000))
}

/**
 * Events that say nothing about intent. They reset the clock like all others, but not while the
 * warning shows: the hand that moves to 'Logout Now' must not make the button vanish. Typing,
 * clicking and touching do, wherever they happen outside the warning, so that nobody is logged out
 * in the middle of a form.
 */
const passiveEvents: ReadonlySet<string> = new Set(['mousemove', 'scroll', 'focus'])

/** Marks the warning, whose own buttons decide for themselves. */
export const WARNING_ATTRIBUTE = 'data-idle-warning'

const isInsideWarning = ({ target }: Event): boolean =>
  target instanceof Element && target.closest(`[${WARNING_ATTRIBUTE}]`) !== null

const CHANNEL = 'idle-clock'
/** Other tabs hear of activity at most this often. */
const ANNOUNCE_MS = 1_000

/**
 * Runs the idle clock while the component is mounted. Answers the seconds left while the warning is
 * due, else null, and `stay`, which counts as activity. Calls `onIdle` once, at zero.
 */
export const useIdleClock = (
  onIdle: () => void,
): { readonly left: number | null; readonly stay: () => void } => {
  const [left, setLeft] = useState<number | null>(null)
  const stay = useRef<() => void>(() => undefined)
  const idle = useRef(onIdle)
  idle.current = onIdle

  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL)
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
        channel.postMessage(lastActivity)
      }
      look()
    }
    const onEvent = (event: Event) => {
      const seconds = secondsLeft(lastActivity, Date.now())
      // The limit may have passed while the machine slept: activity cannot bring such a session
      // back.
      if (seconds === 0) return look()
      if (seconds !== null && (passiveEvents.has(event.type) || isInsideWarning(event))) return
      beActive()
    }
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (typeof data === 'number' && data > lastActivity) lastActivity = Math.min(data, Date.now())
      look()
    }

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
      channel.close()
    }
  }, [])

  return { left, stay: () => stay.current() }
}
