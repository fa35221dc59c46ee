import { fork } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Figure } from '../harness/arithmetic.ts'
import { fitLine, median } from '../harness/arithmetic.ts'
import { type Scenario, type Sizes, say } from '../harness/scenario.ts'
import { openStage, type Stage } from '../harness/stage.ts'
import { twoPhaseOf } from '../harness/twoPhase.ts'
import { COSTS, type Costs } from '../shards/costs.ts'
import type { Posted, Posting } from './poster.ts'

/** Sizes of groups that the line is fitted to. */
const GROUPS = [1, 4, 16, 64, 256, 512]
/** Callers in a closed loop that the simulation is compared with, by process. */
const LOOPS = [
  { processes: 1, callers: 16 },
  { processes: 1, callers: 64 },
  { processes: 1, callers: 256 },
  { processes: 2, callers: 64 },
]

/** Groups and loops take turns, so that other load of the machine weighs on both alike. */
const ROUNDS = 3

type Groups = readonly { readonly size: number; readonly milliseconds: number }[]

/** Posts in a process of its own. */
const post = (posting: Posting): Promise<Posted> =>
  new Promise((resolve, reject) => {
    const child = fork(join(import.meta.dirname, 'poster.ts'))
    child.once('message', (posted) => resolve(posted as Posted))
    child.once('exit', (code) => reject(new Error(`a poster ended with ${code}`)))
    child.send(posting)
  })

const measureGroups = async (stage: Stage, people: number, times: number): Promise<Groups> => {
  const sizes: { size: number; milliseconds: number }[] = []
  for (const size of GROUPS) {
    const groups = Math.max(10, Math.min(times / 10, Math.round((times * 4) / size)))
    const { environment } = stage
    const posted = await post({ environment, people, callers: size, groups })
    if (posted.operations !== size * posted.groups)
      throw new Error(`${posted.operations} operations in ${posted.groups} groups of ${size}`)
    sizes.push({ size, milliseconds: posted.milliseconds / posted.groups })
    say(`a group of ${size}: ${(posted.milliseconds / posted.groups).toFixed(2)} ms`)
  }
  return sizes
}

/** Milliseconds of an operation within the trigger that locks the accounts and writes them. */
const measureLocked = async (stage: Stage, people: number, times: number): Promise<number> => {
  const pool = stage.pool()
  await pool.query("ALTER SYSTEM SET track_functions = 'pl'")
  await pool.query('SELECT pg_reload_conf()')
  const groups = Math.max(20, Math.round(times / 10))
  const posted = await post({ environment: stage.environment, people, callers: 64, groups })
  const { rows } = await pool.query<{ calls: number; time: number }>(
    "SELECT calls::float8, total_time AS time FROM pg_stat_user_functions WHERE funcname = 'apply_movements'",
  )
  await pool.query('ALTER SYSTEM RESET track_functions')
  await pool.query('SELECT pg_reload_conf()')
  const { calls = Number.NaN, time = Number.NaN } = rows[0] ?? {}
  return (time / calls / posted.operations) * posted.groups
}

const measureLoops = async (stage: Stage, people: number, { seconds, warmUp }: Sizes) => {
  const loops: Costs['loops'][number][] = []
  for (const { processes, callers } of LOOPS) {
    const { environment } = stage
    const time = { seconds: Math.min(seconds, 5), warmUp: Math.min(warmUp, 1) }
    const posting = { environment, people, callers, ...time }
    const all = await Promise.all(Array.from({ length: processes }, () => post(posting)))
    const sum = (name: keyof Posted) => all.reduce((total, each) => total + each[name], 0)
    const perSecond = (sum('operations') / sum('milliseconds')) * 1_000 * processes
    const group = sum('operations') / sum('groups')
    say(
      `${processes} × ${callers} callers: ${Math.round(perSecond)}/s, groups of ${group.toFixed(1)}`,
    )
    loops.push({ processes, callers, perSecond, group })
  }
  return loops
}

const measure = async (sizes: Sizes): Promise<readonly Figure[]> => {
  const people = Math.min(sizes.people, 10_000)
  const { times } = sizes
  const stage = await openStage({ people })
  try {
    await stage.pool().query('ALTER SYSTEM SET max_prepared_transactions = 8')
    await stage.restart()
    const phases = await twoPhaseOf(stage.pool(), times)
    say(JSON.stringify(phases))
    const applied = await measureLocked(stage, people, times)
    const rounds: { groups: Groups; loops: Costs['loops'] }[] = []
    while (rounds.length < ROUNDS)
      rounds.push({
        groups: await measureGroups(stage, people, times),
        loops: await measureLoops(stage, people, sizes),
      })
    const groups = GROUPS.map((size, place) => ({
      size,
      milliseconds: median(rounds.map((round) => round.groups[place]?.milliseconds ?? Number.NaN)),
    }))
    const loops = LOOPS.map((loop, place) => {
      const of = (name: 'perSecond' | 'group') =>
        median(rounds.map((round) => round.loops[place]?.[name] ?? Number.NaN))
      return { ...loop, perSecond: of('perSecond'), group: of('group') }
    })
    const { base, slope } = fitLine(groups.map(({ size, milliseconds }) => [size, milliseconds]))
    const costs: Costs = {
      measuredAt: new Date().toISOString(),
      ...phases,
      group: base,
      operation: slope,
      applied,
      loops,
    }
    if (process.env.BENCH !== 'short') writeFileSync(COSTS, `${JSON.stringify(costs, null, 2)}\n`)
    return [
      ...groups.map(({ size, milliseconds }) => ({
        name: `a group of ${size}, ms`,
        value: milliseconds,
      })),
      { name: 'a group, whatever its size, ms', value: base },
      { name: 'each operation in it, µs', value: slope * 1_000 },
      { name: 'of it while the pool’s accounts are locked, µs', value: applied * 1_000 },
      { name: 'COMMIT, ms', value: phases.commit },
      { name: 'PREPARE TRANSACTION, ms', value: phases.prepare },
      { name: 'COMMIT PREPARED, ms', value: phases.commitPrepared },
      { name: 'the way to the database and back, ms', value: phases.roundTrip },
      ...loops.flatMap(({ processes, callers, perSecond, group }) => [
        { name: `investments/s, ${processes} × ${callers} callers`, value: perSecond },
        { name: `mean group, ${processes} × ${callers} callers`, value: group },
      ]),
    ]
  } finally {
    await stage.close()
  }
}

export const groups: Scenario = {
  name: 'groups',
  title: 'The time of a group by its size, and of a commit in two phases',
  run: measure,
}
