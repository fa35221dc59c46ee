import {
  type Output,
  selectCoins,
  type Unspent,
  weightOf,
} from '../../server/coins/batches/selectCoins.ts'
import { bestOfLibrary } from '../../server/testing/librarySelection.ts'
import { type Figure, median } from '../harness/arithmetic.ts'
import { type Scenario, say } from '../harness/scenario.ts'

/** Withdrawals of a batch, and the unspent outputs that it is paid from. */
const [PAYOUTS, COINS] = [200, 10_000]
const TURNS = 5
const RATES = [1n, 20n, 300n]

/** A repeatable row of numbers from 0 to 1 (mulberry32). */
const numbers = (seed: number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Satoshis between two amounts, each size as often. */
const between = (next: () => number, low: number, high: number): bigint =>
  BigInt(Math.round(low * (high / low) ** next()))

/** The fee of taking the largest coins until they suffice, with change always. */
const largestFirst = (
  coins: readonly Unspent[],
  outputs: readonly Output[],
  rate: bigint,
): bigint => {
  const paid = outputs.reduce((sum, { units }) => sum + units, 0n)
  const scripts = [...outputs.map(({ scriptBytes }) => scriptBytes), 22]
  let [total, taken] = [0n, 0]
  for (const { units } of coins.toSorted((a, b) => (a.units > b.units ? -1 : 1))) {
    total += units
    taken += 1
    const fee = rate * BigInt(Math.ceil(weightOf(taken, scripts) / 4))
    if (total >= paid + fee) return fee
  }
  return 0n
}

/** The selection of coins for a large batch: its time, memory and fee beside two other ways. */
export const batches: Scenario = {
  name: 'batches',
  title: 'A batch of 200 withdrawals from 10,000 unspent outputs',
  run: async () => {
    const next = numbers(34)
    const coins = Array.from({ length: COINS }, (_, at) => ({
      input: `${String(at).padStart(64, '0')}:0`,
      units: between(next, 2_000, 200_000_000),
    }))
    const outputs = Array.from({ length: PAYOUTS }, () => ({
      units: between(next, 20_000, 40_000_000),
      scriptBytes: 22,
    }))
    const figures: Figure[] = []
    for (const rate of RATES) {
      const asked = { coins, outputs, feeRate: rate * 1_000n, mostFee: 10n ** 12n }
      const times: number[] = []
      let fee = 0n
      globalThis.gc?.()
      const before = process.memoryUsage().heapUsed
      let after = before
      for (let turn = 0; turn < TURNS; turn += 1) {
        const since = performance.now()
        const found = selectCoins(asked)
        times.push((performance.now() - since) / 1_000)
        after = Math.max(after, process.memoryUsage().heapUsed)
        if ('problem' in found) throw new Error(`nothing was selected: ${found.problem}`)
        fee = found.fee
      }
      const bare = Number(fee) / Number(largestFirst(coins, outputs, rate))
      const library = Number(fee) / Number(bestOfLibrary(coins, outputs, rate))
      say(`${rate} sat/vB: ${fee} sat, ${bare.toFixed(4)} and ${library.toFixed(4)} of the others`)
      const at = `at ${rate} sat/vB`
      figures.push(
        { name: `seconds of the selection, ${at}`, value: median(times), most: 1 },
        { name: `heap of the selection, ${at}, MB`, value: (after - before) / 1e6, most: 200 },
        { name: `fee ÷ that of a bare largest-first, ${at}`, value: bare, most: 1.000001 },
        { name: `fee ÷ the best of the library, ${at}`, value: library, most: 1.01 },
      )
    }
    return figures
  },
}
