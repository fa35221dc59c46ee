import { chownSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Identity } from '../process/systemUser.ts'
import { reachable } from './files.ts'

/**
 * Longest time before a change is archived, in seconds. It is also the most that a lost machine
 * costs.
 */
const ARCHIVED_WITHIN = 60

/**
 * A write-ahead log segment: timeline, then position, in hexadecimal digits that sort in log order.
 */
const SEGMENT = /^[0-9A-F]{24}$/

const quoted = (path: string): string => `'${path.replaceAll('%', '%%')}'`

/**
 * Settings that archive the write-ahead log in a directory, or turn archiving off without one. An
 * existing segment must be identical: PostgreSQL resends after a crash, and clusters never share.
 */
export const archiveSettings = (
  directory: string | undefined,
): Readonly<Record<string, string>> => {
  if (directory === undefined) return { archive_mode: 'off' }
  const archived = quoted(join(directory, '%f.gz')).replaceAll('%%f', '%f')
  const draft = quoted(join(directory, '%f.draft')).replaceAll('%%f', '%f')
  const write = `gzip -1 < '%p' > ${draft} && sync ${draft} && mv ${draft} ${archived} && sync ${quoted(directory)}`
  return {
    archive_mode: 'on',
    archive_command: `if test -f ${archived}; then gzip -dc ${archived} | cmp -s - '%p'; else ${write}; fi`,
    archive_timeout: String(ARCHIVED_WITHIN),
  }
}

/** The command that PostgreSQL runs to fetch a segment back. */
export const fetchCommand = (directory: string): string =>
  `gzip -dc ${quoted(join(directory, '%f.gz')).replaceAll('%%f', '%f')} > '%p'`

/** Makes the directory for PostgreSQL's user alone. Throws when that user cannot reach it. */
export const prepareArchive = (directory: string, identity: Identity | undefined): void => {
  if (!reachable(directory, identity))
    throw new Error(
      `WAL_ARCHIVE ${directory} cannot be reached by the user postgres, who runs the database. Choose another directory.`,
    )
  if (!existsSync(directory)) mkdirSync(directory, { recursive: true, mode: 0o700 })
  if (identity) chownSync(directory, identity.uid, identity.gid)
}

/** Deletes the segments before the oldest backup's first one. Returns the number deleted. */
export const pruneArchive = (directory: string, firstNeeded: string): number => {
  const superfluous = readdirSync(directory).filter((name) => {
    const segment = name.replace(/\.gz$/, '')
    // Ignores the timeline in the first eight digits: an older one may still lead to a backup.
    return SEGMENT.test(segment) && segment.slice(8) < firstNeeded.slice(8)
  })
  for (const name of superfluous) rmSync(join(directory, name))
  return superfluous.length
}
