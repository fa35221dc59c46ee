import { useEffect, useState } from 'react'

/**
 * The present moment, looked at again every so many milliseconds: for what a screen says relative
 * to it.
 */
export const useNow = (everyMs = 30_000): Date => {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
