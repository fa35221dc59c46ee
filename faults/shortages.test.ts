import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { readConfig } from '../server/base/configuration/config.ts'
import { openKeys } from '../server/base/keys/keyFile.ts'
import { newToken } from '../server/base/sessions/tokens.ts'
import { connectTo, dataDirectory } from '../server/testing/process.ts'
import { rounds } from '../server/testing/rounds.ts'
import { type Directory, LIMIT, moment, openNode, times, underLoad } from './run.ts'

/** The database has no room, no time or no connection while money moves. */

let directory: Directory
let mounted: string | undefined
beforeEach(() => {
  directory = dataDirectory(inject('preparedData'))
})
afterEach(async () => {
  await directory.stop()
  // An ending process may hold a file open there, so the mount goes with the last file.
  if (mounted !== undefined) execFileSync('umount', ['--lazy', mounted])
  mounted = undefined
  await directory.remove()
})

test('calls without a free database connection lose nothing', LIMIT, async () => {
  const node = await openNode(directory, { DATABASE_POOL_SIZE: '4' })
  await underLoad({ nodes: [node], directory, kind: 'standstill' }, ({ strike }) =>
    times(rounds({ full: 5, short: 1 }), async () => {
      const { pool, close } = connectTo(directory)
      const holder = await pool.connect()
      const answers: number[] = []
      // A token without the product's mark would be refused without a query.
      const token = newToken(openKeys(readConfig({ DATA_DIR: directory.dataDir })))
      const headers = { authorization: `Bearer ${token}` }
      await strike({
        inject: async () => {
          await holder.query('BEGIN; LOCK TABLE accounts, sessions IN ACCESS EXCLUSIVE MODE')
          const ask = async () =>
            answers.push((await fetch(`${node.url}/api/v1/user`, { headers })).status)
          await Promise.all(Array.from({ length: 40 }, ask))
        },
        // No call waits for the timeout of the call before it.
        isSeen: () => answers.length === 40 && answers.every((status) => status === 503),
        recover: () => holder.query('ROLLBACK'),
        hidesDatabase: true,
      })
      holder.release()
      await close()
    }),
  )
})

test('statements cut off by a timeout lose nothing', LIMIT, async () => {
  const node = await openNode(directory)
  const { pool, close } = connectTo(directory)
  const client = await pool.connect()
  // A backend that has ended meanwhile is worth a warning, which would drop this connection.
  await client.query('SET client_min_messages = error')
  // Cancels the statement in its middle, as a timeout would.
  const cutOff = async (): Promise<number> => {
    const { rows } = await client.query(
      "SELECT count(*) FILTER (WHERE pg_cancel_backend(pid))::int AS cut FROM pg_stat_activity WHERE state = 'active' AND application_name = 'peer-lending-pool' AND pid <> pg_backend_pid()",
    )
    return rows[0].cut
  }
  await underLoad({ nodes: [node], directory, kind: 'nuisance' }, ({ strike }) =>
    times(rounds({ full: 20, short: 1 }), async () => {
      let cut = 0
      // Most moments find no statement at work, so their number is not bounded.
      const inject = async () => {
        while (cut < 10) {
          await moment(100)
          cut += await cutOff()
        }
      }
      await strike({ inject, isSeen: () => cut >= 10 })
    }),
  )
  client.release()
  await close()
})

/** Mounts a small disk for the data; false when this user may not. */
const mountSmallDisk = (path: string): boolean => {
  rmSync(path, { recursive: true })
  mkdirSync(path)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400m,mode=711', 'tmpfs', path], {
      stdio: 'ignore',
    })
    mounted = path
    return true
  } catch {
    return false
  }
}

/** Writes until the disk is full. */
const fillUp = (file: string): void => {
  const { status } = spawnSync('dd', ['if=/dev/zero', `of=${file}`, 'bs=64k'], { stdio: 'ignore' })
  expect(status).not.toBe(0)
}

test('a full disk under the data loses nothing', LIMIT, async ({ skip }) => {
  skip(!mountSmallDisk(directory.dataDir), 'only root may mount the small disk that this fills')
  const node = await openNode(directory)
  const filler = join(directory.dataDir, 'filler')
  let before = 0
  await underLoad({ nodes: [node], directory, kind: 'standstill' }, ({ load, strike }) =>
    times(rounds({ full: 10, short: 1 }), async () => {
      await moment(800)
      await strike({
        inject: async () => {
          fillUp(filler)
          before = load.unanswered()
          await expect.poll(load.unanswered, { interval: 100 }).toBeGreaterThan(before)
          await moment(2_000)
        },
        // A database that restarts removes some files, so the disk may have room again by now.
        isSeen: () => existsSync(filler) && load.unanswered() > before,
        recover: async () => rmSync(filler),
        hidesDatabase: true,
      })
    }),
  )
})
