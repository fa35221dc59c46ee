import { type ChildProcess, spawn } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { cents } from '@pool/contract/base/money'
import type { Pool } from 'pg'
import { PRODUCT } from '../../ops/product.mjs'
import { hashPassword } from '../../server/accounts/passwords/passwords.ts'
import { readConfig } from '../../server/base/configuration/config.ts'
import type { Database } from '../../server/base/db/connection.ts'
import { openKeys } from '../../server/base/keys/keyFile.ts'
import { runningServer, stopServer } from '../../server/base/postgres/postmaster.ts'
import { openLedger } from '../../server/ledger/engine/ledger.ts'
import { contributeCapital } from '../../server/money/reserve/contributeCapital.ts'
import { connectTo } from '../../server/testing/process.ts'
import { benchSecret, makePeople, PASSWORD } from './people.ts'

/** The whole product as a process, with an embedded PostgreSQL that waits for the disk. */
export type Stage = {
  readonly port: () => number
  /** The server's process. */
  readonly pid: () => number
  /** The scenario's own connections to the product's database. */
  readonly pool: () => Pool
  readonly database: () => Database
  /** The settings of the product. */
  readonly environment: Environment
  /** Stops the server and starts it with other settings. */
  readonly restart: (environment?: Environment) => Promise<void>
  readonly close: () => Promise<void>
}

type Environment = Readonly<Record<string, string>>

const START_TIMEOUT_MS = 60_000

/** Finds a free port. */
export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

/** Resolves once `until` answers true. Throws when the process ends or the timeout passes. */
export const whenReady = async (
  child: ChildProcess,
  until: () => Promise<boolean>,
): Promise<void> => {
  const limit = performance.now() + START_TIMEOUT_MS
  while (!(await until().catch(() => false))) {
    if (child.exitCode !== null || performance.now() > limit)
      throw new Error(`${child.spawnargs.join(' ')} did not start`)
    await wait(10)
  }
}

/** Opens a stage with funded investors and a reserve that covers their interest. */
export const openStage = async ({
  people,
  environment = {},
}: {
  people: number
  environment?: Environment
}): Promise<Stage> => {
  // Long: the ways to start, stop and ask a product are short functions that share its state.
  const directory = mkdtempSync(join(process.env.BENCH_DIR ?? tmpdir(), 'pool-bench-'))
  chmodSync(directory, 0o755)
  const dataDir = join(directory, 'data')
  const always = {
    DATA_DIR: dataDir,
    INTEGRITY_KEY_FILE: join(directory, 'key'),
    RATE_LIMITS: 'off',
    SUPER_ADMIN_PASSWORD: PASSWORD,
    POOL_SECOND_APPROVAL_ABOVE: '1000000000',
  }
  const { id, bytes } = benchSecret
  writeFileSync(always.INTEGRITY_KEY_FILE, `${id} ${bytes.toString('base64url')}\n`, {
    mode: 0o600,
  })
  let running: { child: ChildProcess; port: number; database: Database } | undefined

  const start = async (more: Environment): Promise<void> => {
    const port = await freePort()
    const logFile = join(directory, 'log')
    const log = openSync(logFile, 'a')
    const profile = process.env.BENCH_PROFILE
      ? ['--cpu-prof', `--cpu-prof-dir=${process.env.BENCH_PROFILE}`]
      : []
    // The log goes to a file at the default level, as an operator's does.
    const child = spawn(process.execPath, [...profile, ...PRODUCT], {
      env: { ...process.env, ...always, PORT: String(port), ...environment, ...more },
      stdio: ['ignore', log, log],
    })
    closeSync(log)
    try {
      await whenReady(
        child,
        async () => (await fetch(`http://127.0.0.1:${port}/api/v1/health/ready`)).ok,
      )
    } catch (cause) {
      throw new Error(readFileSync(logFile, 'utf8').slice(-2_000), { cause })
    }
    const database = connectTo({ dataDir })

    running = { child, port, database }
  }

  const end = async (): Promise<void> => {
    if (!running) return
    const { child, database } = running
    running = undefined
    await database.close()
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await ended
  }

  const now = () => {
    if (!running) throw new Error('the stage is closed')
    return running
  }

  const stage: Stage = {
    port: () => now().port,
    pid: () => now().child.pid ?? 0,
    pool: () => now().database.pool,
    database: () => now().database,
    environment: { ...always, ...environment },
    restart: async (more = {}) => {
      await end()
      await start(more)
    },
    close: async () => {
      try {
        await end()
      } finally {
        const server = runningServer({ cluster: join(dataDir, 'postgres') })
        if (server !== undefined) await stopServer(server)
        rmSync(directory, { recursive: true, force: true })
      }
    },
  }

  try {
    await start({})
    const keys = openKeys(readConfig(always))
    await makePeople(stage.pool(), {
      count: people,
      passwordHash: await hashPassword(PASSWORD),
      keys,
    })
    // The product first seals the entries of these people, outside the measurement.
    while ((await stage.pool().query('SELECT FROM audit_unsealed LIMIT 1')).rowCount)
      await wait(100)
    const reserve = cents(100_000_000_00n)
    await contributeCapital(
      { keys, ledger: openLedger(stage.pool()) },
      { amount: reserve, note: 'For measurements', contributedBy: 'bench', key: 'bench' },
    )
    return stage
  } catch (error) {
    await stage.close()
    throw error
  }
}
