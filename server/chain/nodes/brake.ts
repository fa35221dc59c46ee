import { setTimeout as wait } from 'node:timers/promises'
import type { Block } from './node.ts'

/** Pause for each millisecond in which the ledger was busy while blocks were read and written. */
const PAUSE = 19
/** The part of the time in which a chain made blocks that their pause lasts at most. */
const MOST = 1 / 10

/**
 * Begins to count, when blocks begin to be read. The returned function pauses once they are
 * written, for other work.
 */
export type Brake = () => (written: readonly Pick<Block, 'time'>[]) => Promise<void>

/**
 * Lets a follower that is behind work for a twentieth of the time in which the ledger is busy
 * (docs/decisions/052). `busyMs` is the ledger's, of this process.
 */
export const yieldToLedger =
  (busyMs: () => number, stopping?: AbortSignal): Brake =>
  () => {
    const before = busyMs()
    return (written) =>
      wait(pauseAfter(busyMs() - before, written), undefined, { signal: stopping }).catch(
        () => undefined,
      )
  }

/**
 * Milliseconds of the pause after blocks, during which the ledger was busy for `busy`. Their chain
 * must be read faster than it grows, so its own times bound the pause.
 */
export const pauseAfter = (busy: number, written: readonly Pick<Block, 'time'>[]): number => {
  const [first, last] = [written[0]?.time, written.at(-1)?.time]
  const grown = Math.max(0, (last ?? 0) - (first ?? last ?? 0))
  return Math.min(PAUSE * busy, MOST * grown * 1_000)
}
