/**
 * Faults of processes. Each strike makes a new one, which looks at the processes of that moment.
 */
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { runningServer } from '../server/base/postgres/postmaster.ts'
import { connectTo } from '../server/testing/process.ts'
import type { Directory, Fault, Node } from './run.ts'

const isGone = (processId: number | undefined): boolean => {
  try {
    return processId !== undefined && !process.kill(processId, 0)
  } catch {
    return true
  }
}

/** Kills a server and starts it again. */
export const killOfServer = (node: Node): Fault => {
  const { pid } = node.product().process
  return { inject: () => node.end('SIGKILL'), isSeen: () => isGone(pid), recover: node.start }
}

/** Stops a server, which drains and stops its database, and starts it again. */
export const stopOfServer = (node: Node): Fault => {
  const { process, output } = node.product()
  return {
    inject: async () => {
      const code = await node.end('SIGTERM')
      if (code !== 0) throw new Error(`The server exited with ${code}: ${output()}`)
    },
    isSeen: () => process.exitCode === 0,
    recover: node.start,
    hidesDatabase: true,
  }
}

/** The postmaster of a data directory. */
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

/** Kills PostgreSQL, which the product starts again. */
export const killOfDatabase = (directory: Directory): Fault => {
  const before = postmaster(directory)
  return {
    inject: async () => {
      process.kill(before ?? Number.NaN, 'SIGKILL')
      await expect.poll(() => postmaster(directory) !== before, { interval: 10 }).toBe(true)
    },
    isSeen: () => postmaster(directory) !== before,
    recover: () => answers(directory),
    hidesDatabase: true,
  }
}

/** Kills the server and its PostgreSQL at once, and starts the server again. */
export const killOfBoth = (node: Node, directory: Directory): Fault => {
  const [server, database] = [killOfServer(node), killOfDatabase(directory)]
  return {
    inject: () => Promise.all([database.inject(), server.inject()]),
    isSeen: () => Boolean(server.isSeen()) && Boolean(database.isSeen()),
    recover: node.start,
    hidesDatabase: true,
  }
}
