/**
 * Plants faults in rooms where money leaves, one at a time, and runs the tests of their functions.
 * `npm run mutate -- batches --most 40` takes 40 faults of one room, spread evenly.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { pick, type TestRecord } from '../../ops/tests/pick.ts'
import { readKept } from '../../ops/tests/records.mjs'
import { touchedIn } from '../../ops/tests/touched.ts'
import { ROOT } from '../sources.ts'
import { type Mutant, mutantsOf } from './mutants.ts'
import { PLANTED } from './plant.ts'
import { type MutatedRoom, mutatedRooms } from './rooms.ts'

/** Of the faults that tests must notice, in percent. */
const LEAST_NOTICED = 95
/** A fault may let a test wait for ever. */
const TIMEOUT_MS = 600_000
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

type Outcome = 'noticed' | 'SURVIVED' | 'waits for ever' | 'RUN BY NO TEST'

/** Files of tests that a first run takes. They have the fewest other functions. */
const FIRST_FILES = 3

const outcomeOf = (files: readonly string[], planted: Planted): Outcome => {
  const { status, error } = spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--bail=1', '--reporter=dot', ...files],
    {
      cwd: ROOT,
      env: { ...process.env, [PLANTED]: JSON.stringify(planted) },
      stdio: 'ignore',
      timeout: TIMEOUT_MS,
    },
  )
  if (error !== undefined) return 'waits for ever'
  return status === 0 ? 'SURVIVED' : 'noticed'
}

/** Tests that ran a part of a source: the room's own first, then those that run the least else. */
const testsOf = ({ tests }: MutatedRoom, path: string, line?: number): readonly string[] => {
  const text = readFileSync(join(ROOT, path), 'utf8')
  const touched =
    line === undefined
      ? { names: new Set<string>(), isWhole: true }
      : touchedIn(path, text, [[line, line]])
  const bounds = { changedTests: [], seconds: Number.POSITIVE_INFINITY }
  const { files } = pick(records, [{ path, ...touched }], bounds)
  const isOwn = (file: string) => tests !== undefined && file.startsWith(tests)
  return [...files.filter(isOwn), ...files.filter((file) => !isOwn(file))]
}

const plant = (planted: Planted, files: readonly string[]): Outcome => {
  if (files.length === 0) return 'RUN BY NO TEST'
  const first = outcomeOf(files.slice(0, FIRST_FILES), planted)
  const more = files.slice(FIRST_FILES)
  return first === 'SURVIVED' && more.length > 0 ? outcomeOf(more, planted) : first
}

const unknown = positionals.filter((name) => !mutatedRooms.some((room) => room.name === name))
if (unknown.length > 0) {
  console.error(`The rooms are: ${mutatedRooms.map(({ name }) => name).join(', ')}.`)
  process.exit(2)
}

const kept = readKept()
if (kept === undefined) {
  console.error('`npm run test:all` records which tests run what. Run it first.')
  process.exit(2)
}
const records: readonly TestRecord[] = kept.files

const say = (line: string) => process.stdout.write(`${line}\n`)

let hasFailed = false
for (const room of mutatedRooms) {
  if (positionals.length > 0 && !positionals.includes(room.name)) continue
  for (const path of room.sources)
    if (plant({ ...FATAL, path }, testsOf(room, path).slice(0, 1)) !== 'noticed')
      throw new Error(`No test loads ${path} with its fault.`)
  const chosen = spread(inRoom(room), Number(values.most))
  const survivors = chosen.filter((planted) => {
    const outcome = plant(planted, testsOf(room, planted.path, planted.line))
    say(`${outcome.padEnd(14)} ${planted.path}:${planted.line} ${planted.says}`)
    return outcome === 'SURVIVED' || outcome === 'RUN BY NO TEST'
  })
  const noticed = (100 * (chosen.length - survivors.length)) / chosen.length
  say(`${room.name}: ${chosen.length} faults, ${noticed.toFixed(1)} % noticed`)
  if (noticed < LEAST_NOTICED) hasFailed = true
}
process.exit(hasFailed ? 1 : 0)
