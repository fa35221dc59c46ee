import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type Database } from '../base/db/connection.ts'
import { addressOf } from '../base/postgres/cluster.ts'
import { preparePostgresFiles } from '../base/postgres/files.ts'
import { runningServer, stopServer } from '../base/postgres/postmaster.ts'
import { openLog } from '../base/process/log.ts'

/** The product in its own process, as an operator runs it. */
export type RunningProduct = {
  readonly url: string
  readonly process: ChildProcess
  /** Its output so far: log and notices. */
  readonly output: () => string
  /** Sends a signal and resolves with the exit code. */
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>
}

/** Connects to a data directory's database beside its product. */
export const connectTo = ({ dataDir }: { readonly dataDir: string }): Database =>
  connect(
    { ...addressOf(preparePostgresFiles(dataDir, () => undefined)), database: 'pool' },
    // Leaves some to the watch of outages while a test's own wait.
    4,
    openLog('silent'),
  )

/**
 * A data directory of one test, empty or a copy of `prepared`, with helpers to run commands on it.
 * `settings` are in the environment of each command. `server` and `commands` name what runs.
 */
export const dataDirectory = (
  prepared?: string,
  settings: Readonly<Record<string, string>> = {},
  server = join(import.meta.dirname, '..'),
  commands = 'operator/commands',
) => {
  const directory = mkdtempSync(join(tmpdir(), 'pool-process-'))
  chmodSync(directory, 0o755)
  const dataDir = join(directory, 'data')
  const children: ChildProcess[] = []
  // Keeps the owner of the files, PostgreSQL's user.
  if (prepared !== undefined) execFileSync('cp', ['-a', prepared, dataDir])

  const run = (
    script: string,
    options: readonly string[],
    environment: Record<string, string>,
  ): ChildProcess => {
    const child = spawn(process.execPath, [join(server, script), ...options], {
      env: { ...process.env, DATA_DIR: dataDir, PORT: '0', ...settings, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    children.push(child)
    return child
  }

  const stop = async () => {
    await Promise.all(
      children.map((child) => (isRunning(child) ? endWith(child, 'SIGKILL') : undefined)),
    )
    // Stops the database that a killed product left running.
    const server = runningServer({ cluster: join(dataDir, 'postgres') })
    if (server !== undefined) await stopServer(server)
  }

  return {
    directory,
    dataDir,
    start: (environment: Record<string, string> = {}) => whenReady(run('main.ts', [], environment)),
    /** Returns the process at once, and the promise of `start`. */
    starting: (environment: Record<string, string>) => {
      const child = run('main.ts', [], environment)
      return { child, started: whenReady(child) }
    },
    /** Runs an operator command. Resolves with its output. */
    command: (script: string, ...options: string[]) =>
      whenEnded(run(`${commands}/${script}.ts`, options, {})),
    /** Begins an operator command, which a test may kill. */
    beginning: (script: string, ...options: readonly string[]) =>
      run(`${commands}/${script}.ts`, options, {}),
    /** Copies the keys of another data directory, as an operator does before a restore. */
    takeKeysOf: (other: { readonly dataDir: string }) => {
      mkdirSync(dataDir, { recursive: true })
      execFileSync('cp', ['-a', join(other.dataDir, 'keys'), dataDir])
    },
    stop,
    remove: async () => {
      await stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

const isRunning = (child: ChildProcess): boolean =>
  child.exitCode === null && child.signalCode === null

const endWith = (child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> => {
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  child.kill(signal)
  return ended
}

const collect = (child: ChildProcess): (() => string) => {
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (part: Buffer) => {
      text += part.toString()
    })
  }
  return () => text
}

const whenReady = async (child: ChildProcess): Promise<RunningProduct> => {
  const output = collect(child)
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const ready = /is ready on (http:\/\/[^"\s]+)/.exec(output())
      if (ready?.[1]) resolve(ready[1])
    })
    child.once('exit', (code) => reject(new Error(`the product exited with ${code}: ${output()}`)))
  })
  return { url, process: child, output, end: (signal) => endWith(child, signal) }
}

const whenEnded = async (child: ChildProcess): Promise<{ code: number | null; text: string }> => {
  const output = collect(child)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, text: output() }
}
