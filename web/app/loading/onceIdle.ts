/** The delay after loading, for browsers without idle callbacks. */
const GRACE = 500
/** The longest wait for an idle moment. */
const LONGEST_WAIT = 3_000

/**
 * Runs `start` once the page has loaded and the browser is idle. Returns a function that cancels
 * it.
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
