import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The file with the measured costs, written by `npm run bench -- groups`. */
export const COSTS = join(import.meta.dirname, 'costs.json')

/** Measured times in milliseconds. */
export type Costs = {
  readonly measuredAt: string
  readonly roundTrip: number
  /** The change of one account and a new row. */
  readonly change: number
  readonly commit: number
  readonly prepare: number
  readonly commitPrepared: number
  /** A group takes this, and `operation` for each of its operations. Both include its commit. */
  readonly group: number
  readonly operation: number
  /** Of `operation`, the time in which the pool's accounts are locked. */
  readonly applied: number
  /** Closed loops of callers, which the simulation is compared with. */
  readonly loops: readonly {
    readonly processes: number
    readonly callers: number
    readonly perSecond: number
    readonly group: number
  }[]
}

export const readCosts = (): Costs => JSON.parse(readFileSync(COSTS, 'utf8')) as Costs
