/**
 * Runs `npm run bench:shards`: simulates the pool on several shards from the costs that
 * `npm run bench -- groups` measured, and writes the tables of docs/scaling.md.
 */
import { join } from 'node:path'
import { rounded } from './harness/arithmetic.ts'
import { fillIn, tableOf } from './harness/document.ts'
import { type Costs, readCosts } from './shards/costs.ts'
import { countRefusals, type Demand } from './shards/dry.ts'
import { type Setup, simulate } from './shards/throughput.ts'

const SCALING = join(import.meta.dirname, '..', 'docs', 'scaling.md')
const SHARDS = [1, 2, 4, 8, 16]
const SEED = 19
/** Callers that wait for an answer, for each shard. */
const CALLERS = 64
/** Between machines of a rack, and of two buildings, in milliseconds. */
const ROUND_TRIPS = [0.5, 2]
const SIMULATED_SECONDS = 20

const text = (value: number): string => rounded(value).toLocaleString('en')
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

/** The simulation of one shard beside the measurements of a closed loop. */
const validation = (costs: Costs): string =>
  tableOf([
    [
      'processes × callers',
      'measured/s',
      'simulated/s',
      'difference',
      'group measured',
      'simulated',
    ],
    ...costs.loops.map(({ processes, callers, perSecond, group }) => {
      const simulated = simulate(costs, {
        shards: 1,
        accounts: 'split',
        processes,
        callers: processes * callers,
        roundTrip: costs.roundTrip,
        sweepSeconds: 1,
        seconds: SIMULATED_SECONDS,
        seed: SEED,
      })
      return [
        `${processes} × ${callers}`,
        text(perSecond),
        text(simulated.perSecond),
        percent(simulated.perSecond / perSecond - 1),
        text(group),
        text(simulated.group),
      ]
    }),
  ])

const setupOf = (shards: number, roundTrip: number): Omit<Setup, 'accounts'> => ({
  shards,
  processes: 1,
  callers: CALLERS * shards,
  roundTrip,
  sweepSeconds: 1,
  seconds: SIMULATED_SECONDS,
  seed: SEED,
})

const throughput = (costs: Costs): string =>
  tableOf([
    [
      'shards',
      'round trip, ms',
      'pool in one place: operations/s',
      'latency, ms',
      'cross shards',
      'commit in two phases',
      'sub-accounts: operations/s',
      'latency, ms',
    ],
    ...ROUND_TRIPS.flatMap((roundTrip) =>
      SHARDS.map((shards) => {
        const setup = setupOf(shards, roundTrip)
        const central = simulate(costs, { ...setup, accounts: 'central' })
        const split = simulate(costs, { ...setup, accounts: 'split' })
        return [
          String(shards),
          String(roundTrip),
          text(central.perSecond),
          text(central.latency),
          percent(central.crossing),
          percent(central.twoPhase),
          text(split.perSecond),
          text(split.latency),
        ]
      }),
    ),
  ])

const SWEEPS = [1, 10, 60, 300]
const RESERVES = [75, 120, 300, 600]
const DEMAND: Omit<Demand, 'sweepSeconds' | 'reserveSeconds' | 'onDemand'> = {
  shards: 8,
  topUpSeconds: 60,
  perSecond: 200,
  seconds: 3_600,
  seed: SEED,
}

/** Refusals of a million investments: those that a share covers, larger ones, all others. */
const dry = (): string => {
  const cell = (demand: Demand): string => {
    const { asked, dry, large, exhausted } = countRefusals(demand)
    return [dry - large, large, exhausted]
      .map((count) => Math.round((count / asked) * 1e6).toLocaleString('en'))
      .join(' + ')
  }
  return tableOf([
    [
      'whole reserve, seconds of demand',
      ...SWEEPS.map((seconds) => `sweep every ${seconds} s`),
      `every ${SWEEPS.at(-1)} s and on demand`,
    ],
    ...RESERVES.map((reserveSeconds) => [
      reserveSeconds.toLocaleString('en'),
      ...SWEEPS.map((sweepSeconds) =>
        cell({ ...DEMAND, reserveSeconds, sweepSeconds, onDemand: false }),
      ),
      cell({ ...DEMAND, reserveSeconds, sweepSeconds: SWEEPS.at(-1) ?? 1, onDemand: true }),
    ]),
  ])
}

const costs = readCosts()
for (const [name, table] of Object.entries({
  validation: validation(costs),
  throughput: throughput(costs),
  'dry shards': dry(),
})) {
  process.stdout.write(`\n${name}\n\n${table}\n`)
  fillIn(SCALING, name, table)
}
