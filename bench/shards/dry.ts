import { openRandom } from '../../server/operator/demo/random.ts'
import { openClock } from './events.ts'
import {
  commitInterest,
  contribute,
  openSubAccounts,
  planSweep,
  type SubAccounts,
  sweep,
  total,
} from './subAccounts.ts'

export type Demand = {
  readonly shards: number
  /** Time between two sweeps. */
  readonly sweepSeconds: number
  /** A shard below half of an equal share asks for a sweep at once. */
  readonly onDemand: boolean
  /** The pool's whole reserve, in seconds of its interest. */
  readonly reserveSeconds: number
  /** The operator replaces the committed interest this often, on the first shard. */
  readonly topUpSeconds: number
  readonly perSecond: number
  readonly seconds: number
  readonly seed: number
}

export type Refusals = {
  readonly asked: number
  /** The pool could cover it, but not the shard. */
  readonly dry: number
  /** Of them, those above an equal share of the whole reserve. */
  readonly large: number
  /** The whole pool could not cover it. */
  readonly exhausted: number
  readonly sweeps: number
  /** The end, and all cents that were put in. */
  readonly accounts: SubAccounts
  readonly contributed: number
}

/** From the plan of a sweep until it is done, in milliseconds. Balances change meanwhile. */
const SWEEP_MS = 20
/** The least interest, in cents, and the shape and limit of its Pareto distribution. */
const LEAST = 40
const SHAPE = 1.3
const MOST = 40_000_00
/** Interest of an investment, on average. */
const MEAN_INTEREST =
  ((SHAPE / (SHAPE - 1)) * (LEAST - LEAST ** SHAPE * MOST ** (1 - SHAPE))) /
  (1 - (LEAST / MOST) ** SHAPE)

/** Many small investments and few large ones. */
const interestFrom = (random: () => number): number => {
  const share = 1 - random() * (1 - (LEAST / MOST) ** SHAPE)
  return Math.floor(LEAST / share ** (1 / SHAPE))
}

/** Counts investments that a shard's reserve does not cover. The same seed has the same demand. */
export const countRefusals = (demand: Demand): Refusals => {
  const { shards, sweepSeconds, onDemand, topUpSeconds, perSecond, seconds } = demand
  const random = openRandom(demand.seed).next
  const clock = openClock()
  const accounts = openSubAccounts(shards)
  const whole = Math.round(demand.reserveSeconds * perSecond * MEAN_INTEREST)
  for (let shard = 0; shard < shards; shard += 1)
    contribute(accounts, shard, Math.floor(whole / shards))
  let contributed = total(accounts.reserve)
  const low = contributed / shards / 2
  const counts = { asked: 0, dry: 0, large: 0, exhausted: 0, sweeps: 0 }

  let sweeping = false
  const startSweep = () => {
    if (sweeping) return
    sweeping = true
    counts.sweeps += 1
    const plan = planSweep(accounts.reserve)
    clock.at(clock.now() + SWEEP_MS, () => {
      for (const transfer of plan) sweep(accounts, transfer)
      sweeping = false
    })
  }
  const sweepAgain = () => {
    startSweep()
    clock.at(clock.now() + sweepSeconds * 1_000, sweepAgain)
  }
  const topUp = () => {
    const missing = whole - total(accounts.reserve)
    if (missing > 0) {
      contribute(accounts, 0, missing)
      contributed += missing
    }
    clock.at(clock.now() + topUpSeconds * 1_000, topUp)
  }
  const invest = () => {
    const shard = Math.floor(random() * shards)
    const interest = interestFrom(random)
    counts.asked += 1
    if (!commitInterest(accounts, shard, interest)) {
      const all = total(accounts.reserve)
      if (all < interest) counts.exhausted += 1
      else {
        counts.dry += 1
        if (interest > all / shards) counts.large += 1
      }
    }
    if (onDemand && (accounts.reserve[shard] ?? 0) < low) startSweep()
    clock.at(clock.now() - (Math.log(1 - random()) / perSecond) * 1_000, invest)
  }
  clock.at(sweepSeconds * 1_000, sweepAgain)
  clock.at(topUpSeconds * 1_000, topUp)
  clock.at(0, invest)
  clock.runUntil(seconds * 1_000)
  return { ...counts, accounts, contributed }
}
