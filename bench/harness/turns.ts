/** Measures the product and its yardstick in turns, so that a change of the machine meets both. */
import { readFileSync } from 'node:fs'
import { median, percentile } from './arithmetic.ts'

/** Rounds of each, after one of each that warms up. */
const ROUNDS = 9
/** The largest share of the machine that other programs may take, from 0 to 1. */
const MOST_NOISE = 0.1
/** A tenth of a second or so on one processor. */
const LOOPS = 5e7
/** The system counts hundredths of a second. */
const TICKS = 100

/** Says that other programs took too much of the machine for a figure. */
export class BusyMachine extends Error {}

/** Busy and all time of all processors since the machine began, in hundredths of a second. */
const processorTicks = (): { readonly busy: number; readonly all: number } | undefined => {
  try {
    const [, ...ticks] =
      readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.trim().split(/\s+/) ?? []
    const counted = ticks.slice(0, 8).map(Number)
    const all = counted.reduce((sum, each) => sum + each, 0)
    const [, , , idle = 0, waiting = 0] = counted
    return { busy: all - idle - waiting, all }
  } catch {
    return undefined
  }
}

/**
 * The share of the machine that others take while this process does a fixed piece of work, from 0
 * to 1, and the seconds of a processor that the work took. The host's own share counts as others'.
 */
const measureNoise = (): { readonly others: number; readonly seconds: number } => {
  const before = processorTicks()
  const since = process.cpuUsage()
  let sum = 0
  for (let loop = 0; loop < LOOPS; loop += 1) sum = (sum + loop) % 1_000_003
  const { user, system } = process.cpuUsage(since)
  const after = processorTicks()
  const seconds = (user + system) / 1e6
  // The sum is read, so that the compiler keeps the loop.
  if (before === undefined || after === undefined || sum < 0) return { others: 0, seconds }
  const ofOthers = after.busy - before.busy - seconds * TICKS
  return { others: Math.max(0, ofOthers / (after.all - before.all)), seconds }
}

/** One round of the product with the round of the yardstick after it. */
export type Turn<Product, Yardstick> = readonly [Product, Yardstick]

/**
 * Measures both in turns, nine rounds each. Throws {@link BusyMachine} where others take much of
 * the machine. `drift` is the spread of a fixed piece of work: the machine's own.
 */
export const inTurns = async <Product, Yardstick>(
  product: () => Promise<Product>,
  yardstick: () => Promise<Yardstick>,
  rounds = ROUNDS,
): Promise<{ readonly turns: readonly Turn<Product, Yardstick>[]; readonly drift: number }> => {
  await product()
  await yardstick()
  const turns: Turn<Product, Yardstick>[] = []
  const noises = [measureNoise()]
  while (turns.length < rounds) {
    turns.push([await product(), await yardstick()])
    noises.push(measureNoise())
  }
  const others = median(noises.map((noise) => noise.others))
  if (others > MOST_NOISE)
    throw new BusyMachine(
      `Other programs took ${Math.round(100 * others)} % of the machine. Take the figures on a quiet one.`,
    )
  return { turns, drift: spreadOf(noises.map(({ seconds }) => seconds)) }
}

/** The distance of the middle half of values, as a share of their median. */
export const spreadOf = (values: readonly number[]): number =>
  (percentile(values, 0.75) - percentile(values, 0.25)) / median(values)

/** A figure of turns: the median over them, with its spread. */
export const overTurns = <Part>(
  turns: readonly Part[],
  of: (turn: Part) => number,
): { readonly value: number; readonly spread: number } => {
  const values = turns.map(of)
  return { value: median(values), spread: spreadOf(values) }
}
