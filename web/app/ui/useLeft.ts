import { useEffect, useState } from 'react'

const SECOND_MS = 1_000

/** The whole seconds until a moment, counted down. Zero once it has come. */
export const useLeft = (until: Date): number => {
  const [now, setNow] = useState(Date.now)
  const left = Math.max(0, Math.ceil((until.getTime() - now) / SECOND_MS))
  const isRunning = left > 0
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS)
    return () => clearInterval(timer)
  }, [isRunning])
  return left
}
