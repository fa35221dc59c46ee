import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { PostgresFiles } from './files.ts'

/**
 * The process of the server that runs on the cluster, if any can be seen: also one that a killed
 * product left behind.
 */
export const runningServer = ({ cluster }: Pick<PostgresFiles, 'cluster'>): number | undefined => {
  const processId = numberIn(join(cluster, 'postmaster.pid'))
  return processId !== undefined && isServer(processId) ? processId : undefined
}

/**
 * Ends a server the fast way: transactions under way are rolled back, everything committed is
 * written.
 */
export const stopServer = async (processId: number): Promise<void> => {
  if (!isServer(processId)) return
  process.kill(processId, 'SIGINT')
  while (isServer(processId)) await wait(25)
}

/**
 * PostgreSQL refuses to start while the number in its lock files belongs to a living process,
 * whatever that process is: after a crash the number may have been given to another. It takes the
 * number of its own parent, this process, for a left-over. The files themselves stay: from them it
 * learns whether processes of the dead server still use its memory.
 */
export const disownReusedNumbers = (files: PostgresFiles): void => {
  for (const file of [
    join(files.cluster, 'postmaster.pid'),
    join(files.socket, '.s.PGSQL.5432.lock'),
  ]) {
    const processId = numberIn(file)
    if (processId !== undefined && isAlive(processId) && !isServer(processId))
      writeFileSync(file, readFileSync(file, 'utf8').replace(/^\d+/, String(process.pid)))
  }
}

const numberIn = (file: string): number | undefined => {
  if (!existsSync(file)) return undefined
  const processId = Number(readFileSync(file, 'utf8').split('\n')[0])
  return Number.isInteger(processId) && processId > 0 ? processId : undefined
}

/**
 * Whether a process is a living PostgreSQL: neither another program with the same number, nor a
 * dead one that nobody has reaped yet.
 */
const isServer = (processId: number): boolean =>
  isAlive(processId) && (process.platform !== 'linux' || programOf(processId) === 'postgres')

const programOf = (processId: number): string | undefined => {
  try {
    return basename(readFileSync(`/proc/${processId}/cmdline`, 'utf8').split('\0')[0] ?? '')
  } catch {
    return undefined
  }
}

const isAlive = (processId: number): boolean => {
  try {
    process.kill(processId, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
