import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'

const TESTS = import.meta.dirname
const POLLING = { timeout: 120_000, interval: 200 }

/** Both suites as `npm test` runs them, at once and with a few tests. */
const SUITES = `
  import { openScratch, runStep } from '${TESTS}/scratch.mjs'
  const scratch = openScratch()
  console.log(scratch.directory)
  runStep(scratch, 'unit', ['node_modules/vitest/vitest.mjs', 'run', 'server/money/brakes', 'server/operator/app'])
  runStep(scratch, 'browser', ['node_modules/@playwright/test/cli.js', 'test', 'e2e/story.spec.ts'], {
    E2E_PORT: '3949',
  })`

const startSuites = async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', SUITES], {
    cwd: join(TESTS, '../..'),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(child.stdout, 'data')
  return { child, directory: String(line).trim() }
}

const processesIn = (directory: string): string[] =>
  execFileSync('ps', ['axeww', '-o', 'command='], { encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 })
    .split('\n')
    .filter((command) => command.includes(directory))

/** Waits for a database of each suite, a worker of the tests and the server of the browser. */
const haveStarted = (directory: string) =>
  vi.waitFor(() => {
    const commands = processesIn(directory)
    const count = (part: RegExp) => commands.filter((command) => part.test(command)).length
    expect(count(/postgres -D/)).toBeGreaterThanOrEqual(2)
    expect(count(/vitest\/dist\/workers/)).toBeGreaterThanOrEqual(1)
    expect(count(/node server\/main\.ts/)).toBeGreaterThanOrEqual(1)
  }, POLLING)

const exitOf = async (child: ChildProcess) => (await once(child, 'exit'))[0]

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends all that npm test started', async (signal, code) => {
  const { child, directory } = await startSuites()
  await haveStarted(directory)
  const exit = exitOf(child)
  child.kill(signal)
  expect(await exit).toBe(code)
  expect(processesIn(directory)).toEqual([])
  expect(existsSync(directory)).toBe(false)
})
