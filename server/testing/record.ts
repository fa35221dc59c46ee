/**
 * Records what each file of tests costs and runs, where `TESTS_RECORDED_IN` names a directory:
 * `npm run test:all` holds budgets by it, and `npm run test:changed` picks tests by it.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect } from 'vitest'
import { processorSeconds } from '../../ops/tests/processor.mjs'

const ROOT = join(import.meta.dirname, '..', '..')
/** Browser tests use these databases without Vitest. `e2e/fixtures.ts` records their cost. */
const directory = process.env.VITEST === undefined ? undefined : process.env.TESTS_RECORDED_IN
/** Vitest evaluates this module again for each file, and what imports it stays. */
const shared = globalThis as { testCalls?: Set<string> }
shared.testCalls ??= new Set()
const calls = shared.testCalls

/** Counts the SQL functions that a test's database has called. */
export const recordCalls = (names: readonly string[]): void => {
  for (const name of names) calls.add(name)
}

/** True where a run records what its tests call. */
export const isRecorded = (): boolean => directory !== undefined

const pathOf = (url: string): string | undefined => {
  if (!url.startsWith('file:')) return undefined
  const path = relative(ROOT, fileURLToPath(url)).replaceAll('\\', '/')
  return path.startsWith('..') || path.includes('node_modules') ? undefined : path
}

/** Names of the functions that ran since the last call, by the path of their source. */
const takeFunctions = async (session: Session): Promise<Record<string, readonly string[]>> => {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  return Object.fromEntries(
    result.flatMap(({ url, functions }) => {
      const path = pathOf(url)
      const ran = functions.filter(({ ranges }) => ranges.some(({ count }) => count > 0))
      const names = new Set(ran.map(({ functionName }) => functionName).filter((name) => name))
      return path === undefined || names.size === 0 ? [] : [[path, [...names].sort()]]
    }),
  )
}

if (directory !== undefined) {
  const before = processorSeconds()
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  // Counting calls slows them, so a file that measures a processor's time has no functions.
  const isMeasure = readFileSync(expect.getState().testPath ?? '', 'utf8').includes('longestTurn')
  if (!isMeasure)
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  afterAll(async () => {
    const functions = isMeasure ? undefined : await takeFunctions(session)
    await session.post('Profiler.stopPreciseCoverage')
    session.disconnect()
    const after = processorSeconds()
    const file = relative(ROOT, expect.getState().testPath ?? '').replaceAll('\\', '/')
    const seconds = before === undefined || after === undefined ? null : after - before
    mkdirSync(directory, { recursive: true })
    writeFileSync(
      join(directory, `${file.replaceAll('/', '+')}.json`),
      JSON.stringify({ file, seconds, functions, sql: [...calls].sort() }),
    )
    calls.clear()
  })
}
