import { startTransition, useEffect, useState } from 'react'
import { onceIdle } from './onceIdle.ts'

/** The rows of one turn. */
const TURN = 25

/** The number of rows to draw: `first` at once, then more in idle moments. */
export const useInTurns = (count: number, first: number): number => {
  const [drawn, setDrawn] = useState(first)
  useEffect(
    () =>
      drawn < count ? onceIdle(() => startTransition(() => setDrawn(drawn + TURN))) : undefined,
    [drawn, count],
  )
  return Math.min(drawn, count)
}
