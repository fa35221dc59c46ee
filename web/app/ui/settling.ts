import { useEffect, useState } from 'react'

/** The time in milliseconds for which decisions are off after something moved or opened. */
export const SETTLING_MS = 1_000

/**
 * True for a second after a dialog opened, so that a second press of the key that opened it decides
 * nothing.
 */
export const useOpening = (): boolean => {
  const [isOpening, setOpening] = useState(true)
  useEffect(() => {
    const timer = setTimeout(() => setOpening(false), SETTLING_MS)
    return () => clearTimeout(timer)
  }, [])
  return isOpening
}
