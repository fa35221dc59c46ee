import type { Figure } from '../harness/arithmetic.ts'
import { load, type Plan, type RequestKind, type Summary } from '../harness/plan.ts'
import { type Scenario, type Sizes, say } from '../harness/scenario.ts'
import { openStage } from '../harness/stage.ts'
import { inTurns, overTurns } from '../harness/turns.ts'
import { type Work, workOf } from '../harness/work.ts'
import { bareServer, openPgbench } from '../harness/yardsticks.ts'

const CONNECTIONS = 64
const HOT = 100

/** Throws unless every response was a success, because refusals are quicker than work. */
const allSucceeded = (summary: Summary): Summary => {
  const others = Object.keys(summary.statuses).filter((status) => status !== '200')
  if (others.length > 0 || summary.answered === 0)
    throw new Error(`answers other than 200: ${JSON.stringify(summary.statuses)}`)
  return summary
}

const measure = async ({ people, seconds, warmUp }: Sizes): Promise<readonly Figure[]> => {
  // Long: one measurement from its stage to its figures, in the order of time.
  const stage = await openStage({ people })
  try {
    const operate = async (
      kind: 'invest' | 'withdraw',
      among: number,
      more: Partial<Pick<Plan, 'rate' | 'seconds' | 'warmUp'>> = {},
    ) => {
      const request: RequestKind = { kind, people: among }
      const plan = {
        port: stage.port(),
        connections: CONNECTIONS,
        seconds,
        warmUp,
        mix: [{ share: 1, request }] as const,
      }
      const summary = allSucceeded(await load({ ...plan, ...more }))
      say(
        `${kind} over ${among}: ${Math.round(summary.perSecond)}/s, p50 ${summary.p50.toFixed(1)} ms, p99 ${summary.p99.toFixed(1)} ms`,
      )
      return summary
    }
    const pgbench = await openPgbench(stage.pool())
    const round = { seconds: Math.ceil(seconds / 3), warmUp: 1 }
    const { turns, drift } = await inTurns(
      () => workOf(stage, () => operate('invest', people, round)),
      async () => pgbench?.(['-N'], round.seconds),
    )
    say(JSON.stringify(turns))
    const perSecond = overTurns(turns, ([{ result }]) => result.perSecond)
    const ofWork = (name: keyof Work) => overTurns(turns, ([{ work }]) => work[name])
    // Without pgbench there is no second of a turn.
    const compared = turns.flatMap(([product, bare]) => (bare ? [[product, bare] as const] : []))
    const hot = await operate('invest', HOT)
    const withdrawals = await operate('withdraw', people)
    const hotWithdrawals = await operate('withdraw', HOT)
    // The log's segments exist, as on a server that has run for a while. The minute begins right
    // after a checkpoint, its dearest time, and covers the system's flushes, twice a minute.
    await stage.pool().query('CHECKPOINT')
    const half = await operate('invest', people, {
      rate: perSecond.value / 2,
      seconds: seconds * 4,
    })
    const tpcb = await pgbench?.([], seconds)
    const tps = overTurns(compared, ([, bare]) => bare.tps)
    const due = Math.round(tps.value / 2)
    const paced = await pgbench?.(['-N', '-R', String(due), '--log'], seconds * 4)
    const bare = await bareServer({
      kind: 'node',
      pool: stage.pool(),
      people,
      seconds: Math.min(seconds, 5),
      warmUp,
    })
    say(`pgbench -N: p99 ${paced?.p99} ms at half; TPC-B-like: ${tpcb?.tps} tps`)
    return [
      ...(compared.length === 0
        ? []
        : [
            {
              name: 'CPU of an investment ÷ of a pgbench -N transaction',
              ...overTurns(
                compared,
                ([{ work }, bare]) => (work.database + work.server) / (bare.database + bare.client),
              ),
              most: 1,
              decides: true as const,
            },
            {
              name: 'database CPU of a pgbench -N transaction, µs',
              ...overTurns(compared, ([, bare]) => bare.database),
            },
            {
              name: 'CPU of pgbench itself for it, µs',
              ...overTurns(compared, ([, bare]) => bare.client),
            },
            { name: 'pgbench -N, 32 clients, tps', ...tps },
            {
              name: 'investments/s ÷ pgbench -N tps',
              ...overTurns(compared, ([{ result }, bare]) => result.perSecond / bare.tps),
            },
          ]),
      { name: 'investments/s', ...perSecond },
      ...(tpcb ? [{ name: 'pgbench TPC-B-like, 32 clients, tps', value: tpcb.tps }] : []),
      {
        name: 'database CPU of an investment at full load, µs',
        ...ofWork('database'),
        most: 70,
      },
      { name: 'server CPU of an investment at full load, µs', ...ofWork('server'), most: 55 },
      { name: 'log of an investment at full load, bytes', ...ofWork('log'), most: 1_500 },
      { name: 'page images in it', ...ofWork('pageImages') },
      { name: 'new index entries of an investment', ...ofWork('indexEntries') },
      { name: "the disk's time for a commit, ms", ...ofWork('commit') },
      { name: 'drift of the machine meanwhile, share', value: drift },
      {
        name: 'investments/s on 100 hot accounts ÷ spread',
        value: hot.perSecond / perSecond.value,
        least: 0.8,
      },
      { name: 'p99 of an investment at half of the maximum load, ms', value: half.p99 },
      ...(paced
        ? [
            { name: 'p99 of pgbench -N at half of its maximum, ms', value: paced.p99 },
            {
              name: 'p99 of an investment ÷ of pgbench -N, at half',
              value: half.p99 / paced.p99,
              most: 3,
              decides: true as const,
            },
          ]
        : []),
      { name: 'withdrawals/s', value: withdrawals.perSecond },
      {
        name: 'withdrawals/s on 100 hot accounts ÷ spread',
        value: hotWithdrawals.perSecond / withdrawals.perSecond,
      },
      {
        name: 'investments/s ÷ requests/s of a bare node:http server',
        value: perSecond.value / bare.perSecond,
      },
    ]
  } finally {
    await stage.close()
  }
}

export const invest: Scenario = {
  name: 'invest',
  title: 'Money operations at full load, 64 connections',
  run: measure,
}
