import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { connectTo, dataDirectory } from '../server/testing/process.ts'
import { FULL, rounds } from '../server/testing/rounds.ts'
import { type Directory, LIMIT, moment, openNode, times, underLoad } from './run.ts'

/** `npm run test:faults`: the database has no room, no time or no connection, while money moves. */

let directory: Directory
let mounted: string | undefined
beforeEach(() => {
  directory = dataDirectory(inject('preparedData'))
})
afterEach(async () => {
  await directory.stop()
  // A process that is just ending may still have a file open there: it goes with the last of them.
  if (mounted !== undefined) execFileSync('umount', ['--lazy', mounted])
  mounted = undefined
  await directory.remove()
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
