import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { median, percentile } from './arithmetic.ts'
import { load, type Summary } from './plan.ts'
import { freePort, whenReady } from './stage.ts'
import { transactionsWork } from './work.ts'

const run = promisify(execFile)

/** The connection to a database of the stage's PostgreSQL. */
export const connectionOf = ({ options }: pg.Pool, database: string) => {
  const { host, port, user, password } = options
  return {
    host: String(host),
    port: Number(port),
    user: String(user),
    password: String(password),
    database,
  }
}

/** The pgbench of an installed PostgreSQL, if any. */
const findPgbench = (): string | undefined => {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian)
    ? readdirSync(debian).sort((a, b) => Number(b) - Number(a))
    : []
  const directories = [
    ...(process.env.PATH ?? '').split(':'),
    ...versions.map((version) => join(debian, version, 'bin')),
  ]
  return directories.map((directory) => join(directory, 'pgbench')).find((path) => existsSync(path))
}

/**
 * Transactions a second, the milliseconds that 99 % of them took less than, and a transaction's
 * processor time in microseconds: of PostgreSQL, and of pgbench itself.
 */
type Pgbench = {
  readonly tps: number
  readonly p99: number
  readonly database: number
  readonly client: number
}

/**
 * Opens an installed pgbench on the same PostgreSQL, in a database of its own. Its p99 needs
 * `--log`. With `-R`, a transaction's time counts from when it was due.
 */
export const openPgbench = async (pool: pg.Pool) => {
  const pgbench = findPgbench()
  if (pgbench === undefined) {
    process.stdout.write(
      '  pgbench is not installed, so its ratios are left out. Debian has it in postgresql-contrib.\n',
    )
    return undefined
  }
  await pool
    .query('DROP DATABASE IF EXISTS pgbench')
    .then(() => pool.query('CREATE DATABASE pgbench'))
  const { host, port, user, password } = connectionOf(pool, 'pgbench')
  const environment = {
    ...process.env,
    PGHOST: host,
    PGPORT: String(port),
    PGUSER: user,
    PGPASSWORD: password,
    PGDATABASE: 'pgbench',
  }
  await run(pgbench, ['-i', '-q', '-s', '10'], { env: environment })
  return async (options: readonly string[], seconds: number): Promise<Pgbench> => {
    const directory = mkdtempSync(join(tmpdir(), 'pgbench-'))
    try {
      const given = [...options, '-c', '32', '-j', '2', '-T', String(seconds)]
      const { result, database, client } = await transactionsWork(pool, async () => {
        const { stdout } = await run(pgbench, given, { env: environment, cwd: directory })
        const numberAfter = (words: RegExp) => Number(words.exec(stdout)?.[1])
        return {
          tps: numberAfter(/tps = ([\d.]+)/),
          transactions: numberAfter(/transactions actually processed: (\d+)/),
        }
      })
      const times = readdirSync(directory).flatMap((file) =>
        readFileSync(join(directory, file), 'utf8')
          .trim()
          .split('\n')
          .map((line) => Number(line.split(' ')[2]) / 1_000),
      )
      return { tps: result.tps, p99: percentile(times, 0.99), database, client }
    } finally {
      rmSync(directory, { recursive: true })
    }
  }
}

/** The median milliseconds of one bare transaction, sent in one message on an idle connection. */
export const bareTransaction = async (pool: pg.Pool, times: number): Promise<number> => {
  await pool.query('DROP DATABASE IF EXISTS bare').then(() => pool.query('CREATE DATABASE bare'))
  const client = new pg.Client(connectionOf(pool, 'bare'))
  await client.connect()
  try {
    await client.query(
      'CREATE TABLE account (id int PRIMARY KEY, balance bigint); CREATE TABLE entry (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, account int, amount bigint)',
    )
    await client.query('INSERT INTO account SELECT n, 0 FROM generate_series(1, 1000) AS n')
    const took: number[] = []
    while (took.length < times) {
      const account = 1 + Math.floor(Math.random() * 1_000)
      const since = performance.now()
      await client.query(
        `BEGIN; UPDATE account SET balance = balance + 10 WHERE id = ${account}; INSERT INTO entry (account, amount) VALUES (${account}, 10); COMMIT`,
      )
      took.push(performance.now() - since)
    }
    return median(took.slice(Math.floor(times / 10)))
  } finally {
    await client.end()
  }
}

type Bare = {
  readonly kind: 'node' | 'fastify'
  readonly pool: pg.Pool
  readonly people: number
  readonly seconds: number
  readonly warmUp: number
}

/** Measures a bare server under the same load: node:http alone, or Fastify with one SELECT. */
export const bareServer = async ({
  kind,
  pool,
  people,
  seconds,
  warmUp,
}: Bare): Promise<Summary> => {
  const port = await freePort()
  const connection = JSON.stringify(connectionOf(pool, 'pool'))
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'bareServer.ts'), kind, String(port), String(people), connection],
    {
      stdio: 'inherit',
    },
  )
  try {
    await whenReady(child, async () => (await fetch(`http://127.0.0.1:${port}/`)).ok)
    return await load({
      port,
      connections: 64,
      seconds,
      warmUp,
      mix: [{ share: 1, request: { kind: 'get', path: '/' } }],
    })
  } finally {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill()
    await ended
  }
}
