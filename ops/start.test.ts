import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const POLLING = { timeout: 300_000, interval: 100 }

let dataDir: string
let npm: ChildProcess | undefined
beforeEach(() => {
  const directory = mkdtempSync(join(tmpdir(), 'pool-start-'))
  chmodSync(directory, 0o755)
  dataDir = join(directory, 'data')
  execFileSync('cp', ['-a', inject('preparedData'), dataDir])
})
afterEach(() => {
  if (npm?.pid !== undefined) killGroup(npm.pid)
  rmSync(join(dataDir, '..'), { recursive: true, force: true })
})

/** Ends what a failed test has left. */
const killGroup = (pid: number) => {
  try {
    process.kill(-pid, 'SIGTERM')
  } catch {
    // The group has ended.
  }
}

/** Runs `npm start` in a process group of its own. Resolves once the product serves. */
const start = async (environment: Record<string, string> = {}) => {
  const child = spawn('npm', ['start'], {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  npm = child
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part) => {
      output += part
    })
  await vi.waitFor(() => expect(output).toMatch(/http:\/\/localhost:\d+/), POLLING)
  const url = /http:\/\/localhost:\d+/.exec(output)?.[0] ?? ''
  return { npm: child, url, text: () => stripVTControlCharacters(output) }
}

const childOf = (pid: number): number =>
  Number(execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' }))

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const databaseOf = (): number =>
  Number.parseInt(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)

test.each([
  ['npm', 'SIGTERM'],
  ['npm', 'SIGHUP'],
  ['the process that npm began', 'SIGINT'],
  ['the process that npm began', 'SIGHUP'],
] as const)('%s ends the product with it on %s', async (whom, signal) => {
  const { npm, url, text } = await start()
  const database = databaseOf()
  const pid = npm.pid as number
  process.kill(whom === 'npm' ? pid : childOf(childOf(pid)), signal)
  await vi.waitFor(async () => {
    await expect(fetch(`${url}/api/v1/health`)).rejects.toThrow()
    expect(isRunning(database)).toBe(false)
    expect(text()).toMatch(/"msg":"stopped"/)
  }, POLLING)
})

test('a terminal shows facts and events but no requests', async () => {
  const { npm, url, text } = await start({ LOG_FORMAT: 'text' })
  await vi.waitFor(() => expect(text()).toMatch(/Stop +Ctrl-C/), POLLING)
  expect(text()).toMatch(/ {2}Peer Lending Pool \(sandbox\) is ready after [\d.]+ s\n/)
  expect(text()).toMatch(new RegExp(`Address +${url}\n`))
  const before = text()
  expect((await fetch(`${url}/api/v1/health`)).status).toBe(200)
  process.kill(npm.pid as number, 'SIGTERM')
  await vi.waitFor(() => expect(text()).toMatch(/ stopped\n/), POLLING)
  expect(text().slice(before.length)).not.toMatch(/health|answered/)
  expect(text()).not.toMatch(/^\{/m)
})

test('a first start on a terminal shows the password once', async () => {
  rmSync(dataDir, { recursive: true })
  const first = await start({ LOG_FORMAT: 'text' })
  expect(first.text()).toMatch(
    /Super admin +admin@example.com\n +Password +\S{20}\n +Next +sign in and add a wallet/,
  )
  const exited = new Promise((resolve) => first.npm.once('exit', resolve))
  process.kill(-(first.npm.pid as number), 'SIGTERM')
  await exited
})

test('output that is no terminal is JSON', async () => {
  const { text } = await start()
  const lines = text()
    .split('\n')
    .filter((line) => line !== '' && !/^(>|npm warn)/.test(line))
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) expect(() => JSON.parse(line)).not.toThrow()
})

test('files are compressed while the product serves', async () => {
  const build = join(ROOT, 'web', 'build')
  rmSync(join(build, '.compressed-from'), { force: true })
  rmSync(join(build, 'client', 'favicon.svg.br'), { force: true })
  const { url, text } = await start()
  const encoding = async () => {
    const response = await fetch(`${url}/favicon.svg`, { headers: { 'accept-encoding': 'br' } })
    expect(await response.text()).toContain('<svg')
    return response.headers.get('content-encoding')
  }
  await vi.waitFor(async () => expect(await encoding()).toBe('br'), POLLING)
  await vi.waitFor(() => expect(existsSync(join(build, '.compressed-from'))).toBe(true), POLLING)
  expect(text()).not.toMatch(/compress/i)
})
