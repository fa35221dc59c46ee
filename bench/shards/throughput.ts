import { openRandom } from '../../server/operator/demo/random.ts'
import type { Costs } from './costs.ts'
import { openClock } from './events.ts'

export type Setup = {
  readonly shards: number
  /** The pool's reserve and committed interest: rows of the first shard, or a pair on each. */
  readonly accounts: 'central' | 'split'
  /** Callers in all. Each asks again once it has its answer. */
  readonly callers: number
  /** Processes that post to a shard. More than one only with a single shard. */
  readonly processes: number
  /** The way between two machines and back, in milliseconds. */
  readonly roundTrip: number
  /** Time between two sweeps of split accounts. */
  readonly sweepSeconds: number
  readonly seconds: number
  readonly seed: number
}

export type Throughput = {
  readonly perSecond: number
  /** Mean operations in a group. */
  readonly group: number
  /** Mean time of an operation, in milliseconds. */
  readonly latency: number
  /** Share of the operations that change rows of two shards. */
  readonly crossing: number
  /** Share of the operations in groups that commit in two phases. */
  readonly twoPhase: number
}

/** The most operations in one group, as in server/ledger/engine/ledger.ts. */
const GROUP_LIMIT = 512
/** Of 38 operations two touch no account of the pool: a deposit and a withdrawal asked for. */
const OF_THE_POOL = 36 / 38

type WaitingOperation = { readonly since: number; readonly touchesPool: boolean }
type Poster = { readonly shard: number; waiting: WaitingOperation[]; busy: boolean }

/** Times of the parts of a group, with the way over the network instead of the measured one. */
const timesOf = (costs: Costs, roundTrip: number) => {
  const disk = (measured: number) => Math.max(0, measured - costs.roundTrip)
  const commit = disk(costs.commit)
  return {
    /** A group that commits alone. It holds the pool's rows at its end. */
    group: (size: number) =>
      costs.group + costs.operation * size + 2 * (roundTrip - costs.roundTrip),
    lockedAlone: (size: number) => Math.min(costs.applied * size, costs.operation * size) + commit,
    commit,
    /** From the change of the first shard's rows to their second phase. */
    lockedTwice:
      disk(costs.change) + 2 * roundTrip + disk(costs.prepare) + disk(costs.commitPrepared),
  }
}

/** Simulates groups of operations on shards. One group at a time locks a shard's pool rows. */
export const simulate = (costs: Costs, setup: Setup): Throughput => {
  // Long: the simulation's events are short functions that share its state.
  const { shards, accounts, callers, processes, roundTrip, sweepSeconds, seconds } = setup
  const random = openRandom(setup.seed).next
  const clock = openClock()
  const times = timesOf(costs, roundTrip)
  const posters = Array.from({ length: shards * processes }, (_, place): Poster => {
    return { shard: Math.floor(place / processes), waiting: [], busy: false }
  })
  /** The moment at which the rows of the pool on each shard are free. */
  const freeAt = Array.from({ length: shards }, () => 0)
  const counts = { operations: 0, groups: 0, latency: 0, crossing: 0, twoPhase: 0 }

  /** Locks rows of the pool, in turn, and returns the moment of their release. */
  const lock = (on: readonly number[], hold: number): number => {
    const since = Math.max(clock.now(), ...on.map((shard) => freeAt[shard] ?? 0))
    for (const shard of on) freeAt[shard] = since + hold
    return since + hold
  }
  const ask = (place: number) => {
    const poster = posters[place] as Poster
    poster.waiting.push({ since: clock.now(), touchesPool: random() < OF_THE_POOL })
    if (poster.busy) return
    poster.busy = true
    // Operations of the same moment join the group.
    clock.at(clock.now(), () => post(place))
  }
  const post = (place: number) => {
    const poster = posters[place] as Poster
    const group = poster.waiting.splice(0, GROUP_LIMIT)
    if (group.length === 0) {
      poster.busy = false
      return
    }
    const crosses = accounts === 'central' && poster.shard > 0
    const touching = group.filter(({ touchesPool }) => touchesPool).length
    const done = (at: number) => clock.at(at, () => answer(place, group, crosses ? touching : 0))
    const whole = times.group(group.length)
    if (touching === 0) return done(clock.now() + whole)
    const written = clock.now() + whole - (crosses ? times.commit : times.lockedAlone(group.length))
    clock.at(crosses ? written + roundTrip / 2 : written, () =>
      crosses
        ? done(lock([0], times.lockedTwice) + roundTrip / 2)
        : done(lock([poster.shard], times.lockedAlone(group.length))),
    )
  }
  const answer = (place: number, group: readonly WaitingOperation[], crossing: number) => {
    counts.operations += group.length
    counts.groups += 1
    counts.crossing += crossing
    if (crossing > 0) counts.twoPhase += group.length
    for (const { since } of group) counts.latency += clock.now() - since
    // The next group starts before these callers are answered.
    clock.at(clock.now(), () => post(place))
    for (const _ of group) ask(shards === 1 ? place : Math.floor(random() * posters.length))
  }
  const sweep = () => {
    for (let shard = 1; shard < shards; shard += 1) lock([shard - 1, shard], times.lockedTwice)
    clock.at(clock.now() + sweepSeconds * 1_000, sweep)
  }
  for (let caller = 0; caller < callers; caller += 1) ask(caller % posters.length)
  if (accounts === 'split' && shards > 1) clock.at(sweepSeconds * 1_000, sweep)
  clock.runUntil(seconds * 1_000)
  const { operations, groups } = counts
  return {
    perSecond: operations / seconds,
    group: operations / groups,
    latency: counts.latency / operations,
    crossing: counts.crossing / operations,
    twoPhase: counts.twoPhase / operations,
  }
}
