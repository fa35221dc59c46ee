/**
 * Plants faults in rooms where money leaves, one at a time, and runs the tests of the room.
 * `npm run mutate -- batches --most 40` takes 40 faults of one room, spread evenly.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ROOT } from '../sources.ts'
import { type Mutant, mutantsOf } from './mutants.ts'
import { PLANTED } from './plant.ts'
import { type MutatedRoom, mutatedRooms } from './rooms.ts'

/** Of the faults that tests must notice, in percent. */
const LEAST_NOTICED = 95
/** A fault may let a test wait for ever. */
const RUN_TIMEOUT_MS = 240_000
/** A fault that no test of a source may miss. */
const FATAL = { start: 0, end: 0, text: "throw new Error('planted');", line: 1, says: 'thrown' }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { most: { type: 'string', default: '1000' } },
})

type Planted = Mutant & { readonly path: string }

const inRoom = ({ sources }: MutatedRoom): Planted[] =>
  sources.flatMap((path) =>
    mutantsOf(path, readFileSync(join(ROOT, path), 'utf8')).map((mutant) => ({
      path,
      start: mutant.start,
      end: mutant.end,
      text: mutant.text,
      line: mutant.line,
      says: mutant.says,
    })),
  )

/** Takes so many, spread evenly over all. */
const spread = <Item>(items: readonly Item[], most: number): Item[] =>
  items.filter(
    (_, at) =>
      Math.floor((at * most) / items.length) !== Math.floor(((at - 1) * most) / items.length),
  )

const passes = (tests: readonly string[], planted?: Planted): boolean => {
  const environment =
    planted === undefined ? process.env : { ...process.env, [PLANTED]: JSON.stringify(planted) }
  const { status } = spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--bail=1', '--reporter=dot', ...tests],
    { cwd: ROOT, env: environment, stdio: 'ignore', timeout: RUN_TIMEOUT_MS },
  )
  return status === 0
}

const unknown = positionals.filter((name) => !mutatedRooms.some((room) => room.name === name))
if (unknown.length > 0) {
  console.error(`The rooms are: ${mutatedRooms.map(({ name }) => name).join(', ')}.`)
  process.exit(2)
}

const say = (line: string) => process.stdout.write(`${line}\n`)

let hasFailed = false
for (const room of mutatedRooms) {
  if (positionals.length > 0 && !positionals.includes(room.name)) continue
  if (!passes(room.tests)) throw new Error(`The tests of ${room.name} fail without a fault.`)
  for (const path of room.sources)
    if (passes(room.tests, { ...FATAL, path }))
      throw new Error(`The tests of ${room.name} do not load ${path} with its fault.`)
  const chosen = spread(inRoom(room), Number(values.most))
  const survivors = chosen.filter((planted) => {
    const survives = passes(room.tests, planted)
    say(`${survives ? 'SURVIVED' : 'noticed '} ${planted.path}:${planted.line} ${planted.says}`)
    return survives
  })
  const noticed = (100 * (chosen.length - survivors.length)) / chosen.length
  say(`${room.name}: ${chosen.length} faults, ${noticed.toFixed(1)} % noticed`)
  if (noticed < LEAST_NOTICED) hasFailed = true
}
process.exit(hasFailed ? 1 : 0)
