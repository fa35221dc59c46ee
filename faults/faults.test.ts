import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { health } from '@pool/contract/health'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { ask } from '../server/testing/client.ts'
import { dataDirectory } from '../server/testing/process.ts'
import { FULL, rounds } from '../server/testing/rounds.ts'
import { addressOfDatabase, connectTo, type Directory, moment, openNode, postmaster, times, underLoad } from './run.ts'

/**
 * `npm run test:faults`: money moves while something strikes, again and again. Afterwards the books are whole, whatever was acknowledged is
 * there exactly once, and the product answers again without help. Every test run strikes a few times; FAULTS=full often.
 */

const LIMIT = { timeout: FULL ? 1_200_000 : 150_000 }

let directory: Directory
let mounted: string | undefined
beforeEach(() => {
  directory = dataDirectory(inject('preparedData'))
})
afterEach(async () => {
  await directory.stop()
  if (mounted !== undefined) execFileSync('umount', [mounted])
  mounted = undefined
  await directory.remove()
})

test('kill -9 of the server', LIMIT, async () => {
  const node = await openNode(directory)
  const figures = await underLoad({ nodes: [node], directory }, (load) =>
    times(rounds({ full: 50, short: 5 }), async () => {
      await moment(800)
      const { pid } = node.product().process
      expect(await node.end('SIGKILL')).toBe(null)
      await node.start()
      expect(node.product().process.pid).not.toBe(pid)
      await load.goesOn()
    }),
  )
  expect(figures.resolved + figures.unknown).toBeGreaterThan(0)
})

test('kill -9 of PostgreSQL', LIMIT, async () => {
  const node = await openNode(directory)
  const figures = await underLoad({ nodes: [node], directory }, (load) =>
    times(rounds({ full: 20, short: 3 }), async () => {
      await moment(800)
      const before = await postmaster(directory)
      process.kill(before, 'SIGKILL')
      expect(await postmaster(directory, before)).not.toBe(before)
      await load.goesOn()
    }),
  )
  expect(figures.resolved + figures.unknown).toBeGreaterThan(0)
})

test('kill -9 of the server and of PostgreSQL at once', LIMIT, async () => {
  const node = await openNode(directory)
  await underLoad({ nodes: [node], directory }, (load) =>
    times(rounds({ full: 20, short: 2 }), async () => {
      await moment(800)
      const before = await postmaster(directory)
      process.kill(before, 'SIGKILL')
      await node.end('SIGKILL')
      await node.start()
      expect(await postmaster(directory)).not.toBe(before)
      await load.goesOn()
    }),
  )
})

test('SIGTERM under load, while every request is sent twice', LIMIT, async () => {
  const node = await openNode(directory)
  await underLoad({ nodes: [node], directory, repeatAll: true }, (load) =>
    times(rounds({ full: 20, short: 2 }), async () => {
      await moment(800)
      expect(await node.end('SIGTERM')).toBe(0)
      await node.start()
      await load.goesOn()
    }),
  )
})

test('two servers on one database, one of which is killed again and again', LIMIT, async () => {
  // The first one owns the embedded database; the other two are its guests, so that either can die without it.
  const owner = await openNode(directory)
  const DATABASE_URL = addressOfDatabase(directory)
  const guests = [await openNode(directory, { DATABASE_URL }), await openNode(directory, { DATABASE_URL })] as const
  await underLoad({ nodes: guests, directory }, (load) =>
    times(rounds({ full: 20, short: 2 }), async () => {
      await moment(800)
      await guests[0].end('SIGKILL')
      await load.goesOn()
      await guests[0].start()
    }),
  )
  expect((await ask(owner.product(), health)).status).toBe(200)
})

test('no connection to the database is free', LIMIT, async () => {
  const node = await openNode(directory, { DATABASE_POOL_SIZE: '4' })
  await underLoad({ nodes: [node], directory }, (load) =>
    times(rounds({ full: 5, short: 1 }), async () => {
      const { pool, close } = connectTo(directory)
      const holder = await pool.connect()
      await holder.query('BEGIN; LOCK TABLE accounts, sessions IN ACCESS EXCLUSIVE MODE')
      const answers = await Promise.all(
        Array.from({ length: 40 }, async () => (await fetch(`${node.url}/api/v1/user`, { headers: { authorization: 'Bearer x' } })).status),
      )
      // Nobody waits for those before them to have waited.
      expect(new Set(answers)).toEqual(new Set([503]))
      await holder.query('ROLLBACK')
      holder.release()
      await close()
      await load.goesOn()
    }),
  )
})

test('statements that take too long are cut off', LIMIT, async () => {
  const node = await openNode(directory)
  const { pool, close } = connectTo(directory)
  let cut = 0
  await underLoad({ nodes: [node], directory }, (load) =>
    times(rounds({ full: 200, short: 30 }), async () => {
      await moment(100)
      // What a time-out does, without waiting for one: the same refusal of the statement, in the middle of it.
      const { rows } = await pool.query(
        "SELECT count(*) FILTER (WHERE pg_cancel_backend(pid))::int AS cut FROM pg_stat_activity WHERE state = 'active' AND application_name = 'peer-lending-pool' AND pid <> pg_backend_pid()",
      )
      cut += rows[0].cut
      if (FULL) await load.goesOn()
    }),
  )
  expect(cut).toBeGreaterThan(0)
  await close()
})

/** Mounts a small disk for the data; false where this user may not. */
const mountSmallDisk = (path: string): boolean => {
  rmSync(path, { recursive: true })
  mkdirSync(path)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400m,mode=711', 'tmpfs', path], { stdio: 'ignore' })
    mounted = path
    return true
  } catch {
    return false
  }
}

/** Writes until nothing more fits. */
const fillUp = (file: string): void => {
  const { status } = spawnSync('dd', ['if=/dev/zero', `of=${file}`, 'bs=64k'], { stdio: 'ignore' })
  expect(status).not.toBe(0)
}

test('the disk of the data is full', LIMIT, async ({ skip }) => {
  skip(!mountSmallDisk(directory.dataDir), 'only root may mount the small disk that this fills')
  const node = await openNode(directory)
  const filler = join(directory.dataDir, 'filler')
  await underLoad({ nodes: [node], directory }, (load) =>
    times(rounds({ full: 10, short: 1 }), async () => {
      await moment(800)
      fillUp(filler)
      const before = load.unanswered()
      await expect.poll(load.unanswered, { timeout: 60_000, interval: 100 }).toBeGreaterThan(before)
      await moment(2_000)
      rmSync(filler)
      await load.goesOn()
    }),
  )
})

test('the clock of the server jumps forward and back by a day', LIMIT, async () => {
  const file = join(directory.directory, 'clock')
  writeFileSync(file, '0')
  const clock = join(import.meta.dirname, 'clock.ts')
  const node = await openNode(directory, { CLOCK_FILE: file, NODE_OPTIONS: `--import=${clock}`, LOG_LEVEL: 'info' })
  const day = 86_400_000
  await underLoad({ nodes: [node], directory }, (load) =>
    times(rounds({ full: 10, short: 1 }), async () => {
      for (const offset of [day, -day, 0]) {
        writeFileSync(file, String(offset))
        // Its log tells the time by its clock.
        const seen = () =>
          Number(
            node
              .product()
              .output()
              .match(/(?<="time":)\d+/g)
              ?.at(-1),
          ) - Date.now()
        await expect.poll(() => Math.abs(seen() - offset) < 5_000, { timeout: 10_000 }).toBe(true)
        await load.goesOn()
      }
    }),
  )
})

const HEAD = 'POST /api/v1/public/transaction/withdraw HTTP/1.1\r\nhost: localhost\r\n'

test('clients that never finish what they say, and thousands that say nothing', LIMIT, async () => {
  const node = await openNode(directory)
  const port = Number(new URL(node.url).port)
  const sockets: Socket[] = []
  // They hold on to their end, whatever they are told.
  const open = async (beginning: string): Promise<void> => {
    const socket = connect({ port, host: 'localhost', allowHalfOpen: true }).on('error', () => undefined)
    sockets.push(socket)
    await once(socket, 'connect')
    if (beginning) socket.write(beginning)
  }
  const openMany = (count: number, beginning = '') => Promise.all(Array.from({ length: count }, () => open(beginning)))
  const drip = (some: readonly Socket[]) => {
    for (const socket of some) if (!socket.destroyed) socket.write('a')
  }
  try {
    await underLoad({ nodes: [node], directory }, async (load) => {
      await openMany(100, `${HEAD}x-slow: `)
      await openMany(100, `${HEAD}content-type: application/json\r\ncontent-length: 60000\r\n\r\n"`)
      const slow = sockets.slice()
      for (let opened = 0; opened < rounds({ full: 10_000, short: 1_000 }); opened += 100) await openMany(100)
      await times(3, async () => {
        drip(slow)
        await wait(1_000)
      })
      await load.goesOn()
      // Nobody may hold a connection for ever by never finishing: after a while the server lets go of each. Who then says more notices.
      const held = () => {
        drip(Date.now() < patientUntil ? slow : sockets)
        return sockets.filter(({ destroyed }) => !destroyed).length
      }
      const patientUntil = Date.now() + 100_000
      if (FULL) await expect.poll(held, { timeout: 300_000, interval: 1_000 }).toBe(0)
    })
  } finally {
    for (const socket of sockets) socket.destroy()
  }
})
