import { chownSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Identity } from '../process/systemUser.ts'
import { reachable } from './files.ts'

/**
 * How long a change waits for the archive at most, in seconds: what a loss of the whole machine can
 * cost.
 */
const ARCHIVED_WITHIN = 60

/**
 * A segment of the write-ahead log: timeline, then position, in hexadecimal digits that sort as
 * they follow each other.
 */
const SEGMENT = /^[0-9A-F]{24}$/

const quoted = (path: string): string => `'${path.replaceAll('%', '%%')}'`

/**
 * PostgreSQL's settings that copy its write-ahead log to a directory, compressed, as it is written.
 * A segment that is there already is right only if it is the same: after a crash PostgreSQL sends
 * one again, and two databases must never share an archive. None without a directory.
 */
export const archiveSettings = (
  directory: string | undefined,
): Readonly<Record<string, string>> => {
  if (directory === undefined) return { archive_mode: 'off' }
  const kept = quoted(join(directory, '%f.gz')).replaceAll('%%f', '%f')
  const draft = quoted(join(directory, '%f.draft')).replaceAll('%%f', '%f')
  const write = `gzip -1 < '%p' > ${draft} && sync ${draft} && mv ${draft} ${kept} && sync ${quoted(directory)}`
  return {
    archive_mode: 'on',
    archive_command: `if test -f ${kept}; then gzip -dc ${kept} | cmp -s - '%p'; else ${write}; fi`,
    archive_timeout: String(ARCHIVED_WITHIN),
  }
}

/** The command by which PostgreSQL fetches a segment back. */
export const fetchCommand = (directory: string): string =>
  `gzip -dc ${quoted(join(directory, '%f.gz')).replaceAll('%%f', '%f')} > '%p'`

/** Makes the directory, for PostgreSQL's user alone. Throws where that user cannot get there. */
export const prepareArchive = (directory: string, identity: Identity | undefined): void => {
  if (!reachable(directory, identity))
    throw new Error(
      `WAL_ARCHIVE ${directory} cannot be reached by the user postgres, as whom the database runs. Choose another directory.`,
    )
  if (!existsSync(directory)) mkdirSync(directory, { recursive: true, mode: 0o700 })
  if (identity) chownSync(directory, identity.uid, identity.gid)
}

/**
 * Deletes the segments that no kept backup needs: those before the first one of the oldest. Returns
 * how many went.
 */
export const pruneArchive = (directory: string, firstNeeded: string): number => {
  const superfluous = readdirSync(directory).filter((name) => {
    const segment = name.replace(/\.gz$/, '')
    // The first eight digits are the timeline, of which an older one may still lead to a kept
    // backup.
    return SEGMENT.test(segment) && segment.slice(8) < firstNeeded.slice(8)
  })
  for (const name of superfluous) rmSync(join(directory, name))
  return superfluous.length
}
