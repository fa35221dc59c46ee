import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { health, readiness } from '@pool/contract/base/health'
import { notReady } from '@pool/contract/base/messages'
import { listPauses } from '@pool/contract/money/pauses'
import pg from 'pg'
import { afterEach, describe, expect, inject, test, vi } from 'vitest'
import { connect } from '../../base/db/connection.ts'
import { LOCKS } from '../../base/locks.ts'
import { runningServer } from '../../base/postgres/postmaster.ts'
import { openLifecycle } from '../../base/process/lifecycle.ts'
import { openLog } from '../../base/process/log.ts'
import { startJobs } from '../../operator/jobs/jobs.ts'
import { dataDirectory } from '../../testing/process.ts'
import { type Product, startProduct } from '../../testing/product.ts'

const log = openLog('silent')
const says = (why: keyof typeof notReady) => ({
  successful: false,
  narration: notReady[why],
  body: { code: 'notReady' },
})
const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 50 })

describe('a process is ready', () => {
  let product: Product
  afterEach(() => product.close())
  const ask = () => product.call(readiness)

  test('only while its jobs run', async () => {
    product = await startProduct()
    const jobs = await startJobs(product.context, product.database, log)
    product.context.lifecycle.serve(jobs)
    expect(await ask()).toMatchObject({ status: 200, body: { ready: true } })
    const { pool } = product.database
    await eventually(async () =>
      expect((await pool.query('SELECT FROM ledger_checks WHERE finding IS NULL')).rowCount).toBe(
        1,
      ),
    )
    await eventually(async () =>
      expect((await pool.query('SELECT FROM graphile_worker.jobs')).rowCount).toBe(0),
    )
    await jobs.stop()
    expect(await ask()).toMatchObject({ status: 503, ...says('jobs') })
  })

  test('only while the database has the version of its code', async () => {
    product = await startProduct()
    expect((await ask()).status).toBe(200)
    await product.database.superuser.query(
      "INSERT INTO migrations (number, name, digest) VALUES (9999, 'newer', '')",
    )
    expect(await ask()).toMatchObject({ status: 503, ...says('migrations') })
    await product.database.superuser.query('DELETE FROM migrations WHERE number = 9999')
    expect((await ask()).status).toBe(200)
    await product.database.superuser.query(
      'DELETE FROM migrations WHERE number = (SELECT max(number) FROM migrations)',
    )
    expect(await ask()).toMatchObject({ status: 503, ...says('migrations') })
  })
})

describe('as a process', () => {
  const directory = dataDirectory()
  afterEach(() => directory.remove())

  /** Stops or continues all processes of PostgreSQL, like a hanging disk. */
  const signalDatabase = (signal: 'SIGSTOP' | 'SIGCONT') => {
    const server = runningServer({ cluster: join(directory.dataDir, 'postgres') })
    if (!server) throw new Error('no PostgreSQL runs')
    const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(server)], {
      encoding: 'utf8',
    })
      .trim()
      .split(/\s+/)
      .map(Number)
    for (const pid of [server, ...children]) {
      try {
        process.kill(pid, signal)
      } catch {
        // A process may end between the two steps.
      }
    }
  }

  test('readiness follows a hanging database and a stop', async () => {
    const product = await directory.start({ LOG_LEVEL: 'warn' })
    const ask = async () => {
      const response = await fetch(product.url + readiness.path)
      return { status: response.status, ...((await response.json()) as object) }
    }
    expect(await ask()).toMatchObject({ status: 200, successful: true })
    signalDatabase('SIGSTOP')
    for (const _ of [1, 2, 3])
      expect(await ask()).toMatchObject({ status: 503, ...says('database') })
    signalDatabase('SIGCONT')
    await eventually(async () => expect(await ask()).toMatchObject({ status: 200 }))

    const heard: object[] = []
    const ended = product.end('SIGTERM')
    for (let open = true; open; )
      await ask().then(
        (answer) => heard.push(answer),
        () => (open = false),
      )
    expect(heard.at(-1)).toMatchObject({ status: 503, ...says('stopping') })
    expect(await ended).toBe(0)
  })

  test('only health is answered while migrations run', async () => {
    const name = `starting_${randomUUID().replaceAll('-', '')}`
    const { host, port, user, password } = inject('postgres').superuser
    const admin = new pg.Client({ ...inject('postgres').superuser, database: 'postgres' })
    await admin.connect()
    await admin.query(`CREATE DATABASE ${name}`)
    const blocker = connect({ ...inject('postgres').superuser, database: name }, 1, log)
    const holding = await blocker.pool.connect()
    await holding.query(`SELECT pg_advisory_lock(${LOCKS.migration})`)

    const DATABASE_URL = `postgres://${user}:${password}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`
    const { child, started } = directory.starting({ DATABASE_URL })
    const url = await new Promise<string>((resolve) => {
      let text = ''
      child.stdout?.on('data', (part: Buffer) => {
        text += part.toString()
        const found = /Server listening at (http:[^"]+)/.exec(text)
        if (found?.[1]) resolve(found[1])
      })
    })
    const ask = async (path: string) => {
      const response = await fetch(url + path)
      return [response.status, ((await response.json()) as { narration: string }).narration]
    }
    expect(await ask(readiness.path)).toEqual([503, notReady.starting])
    expect((await ask(health.path))[0]).toBe(200)
    expect((await ask(listPauses.path))[0]).toBe(503)
    holding.release()
    await blocker.pool.end()
    const product = await started
    expect(await ask(readiness.path)).toEqual([200, 'OK'])
    expect((await ask(listPauses.path))[0]).toBe(200)
    expect(await product.end('SIGTERM')).toBe(0)
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
    await admin.end()
  })
})

test('a stopped lifecycle does not serve again', () => {
  const lifecycle = openLifecycle()
  lifecycle.stop()
  lifecycle.serve({ isRunning: () => true })
  expect(lifecycle.stage()).toBe('stopping')
})
