import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { PostgresFiles } from './files.ts'

/** Process id of the cluster's server, also of one that a killed product left behind. */
export const runningServer = ({ cluster }: Pick<PostgresFiles, 'cluster'>): number | undefined => {
  const processId = numberIn(join(cluster, 'postmaster.pid'))
  return processId !== undefined && isServer(processId) ? processId : undefined
}

/** Stops a server fast. It rolls back open transactions and writes all committed ones. */
export const stopServer = async (processId: number): Promise<void> => {
  if (!isServer(processId)) return
  process.kill(processId, 'SIGINT')
  while (isServer(processId)) await wait(25)
}

/**
 * Replaces reused process ids in lock files, which would prevent a start after a crash. PostgreSQL
 * ignores its parent's id. The files stay, since it checks shared memory by them.
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
  const processId = Number(readIfThere(file)?.split('\n')[0])
  return Number.isInteger(processId) && processId > 0 ? processId : undefined
}

/** A stopping PostgreSQL deletes the file at any moment. */
const readIfThere = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** True for a living PostgreSQL, false for another program with that id or an unreaped process. */
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
