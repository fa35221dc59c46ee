import type { Figure } from './arithmetic.ts'

/** The sizes of a whole or a short run. */
export type Sizes = {
  readonly people: number
  /** The time of one measurement, in seconds. */
  readonly seconds: number
  readonly warmUp: number
  /** The numbers of transactions at which reads are compared. */
  readonly rows: readonly number[]
  readonly maturities: number
  /** The numbers of operations after which memory is compared. */
  readonly operations: readonly [number, number]
  readonly times: number
  /** Blocks that a follower catches up with. */
  readonly chainBlocks: number
}

export const sizes: Sizes =
  process.env.BENCH === 'short'
    ? {
        people: 2_000,
        seconds: 2,
        warmUp: 1,
        rows: [1_000, 10_000],
        maturities: 2_000,
        operations: [2_000, 6_000],
        times: 200,
        chainBlocks: 500,
      }
    : {
        people: 100_000,
        seconds: 15,
        warmUp: 5,
        rows: [10_000, 1_000_000, 10_000_000],
        maturities: 100_000,
        operations: [10_000, 1_000_000],
        times: 1_000,
        chainBlocks: 5_000,
      }

export type Scenario = {
  /** The name on the command line: `npm run bench -- NAME`. */
  readonly name: string
  readonly title: string
  readonly run: (sizes: Sizes) => Promise<readonly Figure[]>
}

/** Prints the progress of a scenario. */
export const say = (sentence: string): void => void process.stdout.write(`  ${sentence}\n`)
