import { startTransition, useEffect, useState } from 'react'
import { onceIdle } from './onceIdle.ts'

/** How many rows are laid out at a time. */
const TURN = 25

/**
 * How many of `count` rows to draw: `first` at once, then more in turns while the browser has
 * nothing else to do, so that it answers meanwhile.
 */
export const useInTurns = (count: number, first: number): number => {
  const [drawn, setDrawn] = useState(first)
  useEffect(
    () =>
      drawn < count ? onceIdle(() => startTransition(() => setDrawn(drawn + TURN))) : undefined,
    [drawn, count],
  )
  return Math.min(drawn, count)
}
