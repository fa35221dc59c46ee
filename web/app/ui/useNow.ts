import { useEffect, useState } from 'react'

/** The present moment, refreshed at an interval. */
export const useNow = (everyMs = 30_000): Date => {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
