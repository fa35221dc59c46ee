/** A browser that cannot tell when it is idle is given this long after loading, in milliseconds. */
const GRACE = 500
/** A browser that is never idle is not waited for longer than this, in milliseconds. */
const LONGEST_WAIT = 3_000

/**
 * Runs `start` once the page has loaded and the browser has nothing else to do. Returns how to call
 * that off.
 */
export const onceIdle = (start: () => void): (() => void) => {
  let cancel = () => window.removeEventListener('load', wait)
  const wait = () => {
    if (typeof window.requestIdleCallback === 'function') {
      const handle = window.requestIdleCallback(start, { timeout: LONGEST_WAIT })
      cancel = () => window.cancelIdleCallback(handle)
    } else {
      const timer = setTimeout(start, GRACE)
      cancel = () => clearTimeout(timer)
    }
  }
  if (document.readyState === 'complete') wait()
  else window.addEventListener('load', wait, { once: true })
  return () => cancel()
}
