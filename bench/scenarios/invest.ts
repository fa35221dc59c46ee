import { type Figure, median } from '../harness/arithmetic.ts'
import { load, type Plan, type RequestKind, type Summary } from '../harness/plan.ts'
import { type Scenario, type Sizes, say } from '../harness/scenario.ts'
import { openStage } from '../harness/stage.ts'
import { workOf } from '../harness/work.ts'
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
      more: Partial<Pick<Plan, 'rate' | 'seconds'>> = {},
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
    const simple = await pgbench?.(['-N'], seconds)
    const { result: spread, work } = await workOf(stage, () => operate('invest', people))
    say(JSON.stringify(work))
    const hot = await operate('invest', HOT)
    const withdrawals = await operate('withdraw', people)
    const hotWithdrawals = await operate('withdraw', HOT)
    // The log's segments exist, as on a server that has run for a while. The minute begins right
    // after a checkpoint, its dearest time, and covers the system's flushes, twice a minute.
    await stage.pool().query('CHECKPOINT')
    const half = await operate('invest', people, {
      rate: spread.perSecond / 2,
      seconds: seconds * 4,
    })
    // A second run, so that other load of the machine weighs on both alike.
    const again = await pgbench?.(['-N'], seconds)
    const tpcb = await pgbench?.([], seconds)
    const due = Math.round((again?.tps ?? 0) / 2)
    const paced = await pgbench?.(['-N', '-R', String(due), '--log'], seconds * 4)
    const bare = await bareServer({
      kind: 'node',
      pool: stage.pool(),
      people,
      seconds: Math.min(seconds, 5),
      warmUp,
    })
    const bareRuns = simple && again ? [simple, again] : undefined
    const mean = (name: 'tps' | 'database' | 'client') =>
      bareRuns && median(bareRuns.map((each) => each[name]))
    const tps = mean('tps')
    const [ofDatabase, ofClient] = [mean('database'), mean('client')]
    say(
      `pgbench -N: ${simple?.tps} and ${again?.tps} tps, p99 ${paced?.p99} ms at half; TPC-B-like: ${tpcb?.tps} tps`,
    )
    say(`its processor time, µs: ${ofDatabase} in the database, ${ofClient} in itself`)
    return [
      ...(ofDatabase === undefined || ofClient === undefined
        ? []
        : [
            {
              name: 'CPU of an investment ÷ of a pgbench -N transaction',
              value: (work.database + work.server) / (ofDatabase + ofClient),
              most: 1,
              decides: true as const,
            },
            { name: 'database CPU of a pgbench -N transaction, µs', value: ofDatabase },
            { name: 'CPU of pgbench itself for it, µs', value: ofClient },
          ]),
      { name: 'investments/s', value: spread.perSecond },
      ...(tps === undefined
        ? []
        : [
            { name: 'pgbench -N, 32 clients, tps', value: tps },
            { name: 'investments/s ÷ pgbench -N tps', value: spread.perSecond / tps },
          ]),
      ...(tpcb ? [{ name: 'pgbench TPC-B-like, 32 clients, tps', value: tpcb.tps }] : []),
      { name: 'database CPU of an investment at full load, µs', value: work.database, most: 70 },
      { name: 'server CPU of an investment at full load, µs', value: work.server, most: 55 },
      { name: 'log of an investment at full load, bytes', value: work.log, most: 1_500 },
      { name: 'page images in it', value: work.pageImages },
      { name: 'new index entries of an investment', value: work.indexEntries },
      { name: "the disk's time for a commit, ms", value: work.commit },
      {
        name: 'investments/s on 100 hot accounts ÷ spread',
        value: hot.perSecond / spread.perSecond,
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
        value: spread.perSecond / bare.perSecond,
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
