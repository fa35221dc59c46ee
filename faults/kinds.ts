/**
 * Faults of processes: each is made anew for each strike, because it knows what was there before.
 */
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { runningServer } from '../server/postgres/postmaster.ts'
import { connectTo } from '../server/testing/process.ts'
import type { Directory, Fault, Node } from './run.ts'

const isGone = (processId: number | undefined): boolean => {
  try {
    return processId !== undefined && !process.kill(processId, 0)
  } catch {
    return true
  }
}

/** A server is killed, and started again. */
export const killOfServer = (node: Node): Fault => {
  const { pid } = node.product().process
  return { inject: () => node.end('SIGKILL'), isSeen: () => isGone(pid), recover: node.start }
}

/**
 * A server is told to end, finishes what it has begun, its database with it, and is started again.
 */
export const stopOfServer = (node: Node): Fault => {
  const { process } = node.product()
  return {
    inject: () => node.end('SIGTERM'),
    isSeen: () => process.exitCode === 0,
    recover: node.start,
    hidesDatabase: true,
  }
}

/** The database of a data directory. */
const postmaster = ({ dataDir }: Directory): number | undefined =>
  runningServer({ cluster: join(dataDir, 'postgres') })

/** Resolves once the database answers. */
const answers = (directory: Directory): Promise<void> =>
  vi.waitFor(
    async () => {
      const { pool, close } = connectTo(directory)
      try {
        await pool.query('SELECT')
      } finally {
        await close()
      }
    },
    { timeout: 60_000, interval: 50 },
  )

/** PostgreSQL is killed, and the product starts it again. */
export const killOfDatabase = (directory: Directory): Fault => {
  const before = postmaster(directory)
  return {
    inject: async () => {
      process.kill(before ?? Number.NaN, 'SIGKILL')
      await expect
        .poll(() => postmaster(directory) !== before, { timeout: 60_000, interval: 10 })
        .toBe(true)
    },
    isSeen: () => postmaster(directory) !== before,
    recover: () => answers(directory),
    hidesDatabase: true,
  }
}

/** The server and its PostgreSQL are killed at once, and the server is started again. */
export const killOfBoth = (node: Node, directory: Directory): Fault => {
  const [server, database] = [killOfServer(node), killOfDatabase(directory)]
  return {
    inject: () => Promise.all([database.inject(), server.inject()]),
    isSeen: () => Boolean(server.isSeen()) && Boolean(database.isSeen()),
    recover: node.start,
    hidesDatabase: true,
  }
}
