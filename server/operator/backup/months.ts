/** Archived months of movements: a compressed file each, with a signed manifest. */
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { Keys } from '../../base/keys/keys.ts'
import type { MonthContent } from '../../ledger/archive/archiveMonth.ts'
import type { ArchivedMonth } from '../../ledger/archive/closings.ts'
import { compareNames, contentOf, makeBackup, readManifest } from './manifest.ts'

/** A movement per line, as JSON. */
const FILE = 'movements.jsonl.gz'
/** Bytes of lines that are held in memory at once. */
const CHUNK = 1_000_000

/**
 * Writes the archive `directory/YYYY-MM`, synced to disk, and reads it back. Replaces one of an
 * attempt that did not end, signed with these keys. The database still has its rows.
 */
export const writeMonth = async (
  directory: string,
  keys: Keys,
  { month, rows, balances }: MonthContent,
): Promise<{ readonly sha256: string; readonly movements: number }> => {
  const target = join(directory, month)
  if (existsSync(target)) {
    await readManifest(target, 'month', keys)
    await rm(target, { recursive: true })
  }
  const startedAt = new Date().toISOString()
  const { files, movements } = await makeBackup(target, keys, async (draft) => {
    const file = join(draft, FILE)
    let movements = 0
    const lines = async function* () {
      for await (const batch of rows) {
        movements += batch.length
        yield `${batch.join('\n')}\n`
      }
    }
    await pipeline(Readable.from(lines()), createGzip(), createWriteStream(file, { mode: 0o600 }))
    return {
      kind: 'month' as const,
      month,
      movements,
      balances,
      startedAt,
      finishedAt: new Date().toISOString(),
      files: { [FILE]: await contentOf(file) },
    }
  })
  const sha256 = files[FILE]?.sha256 ?? ''
  let found = 0
  for await (const batch of linesOf(join(target, FILE))) found += batch.length
  if (found !== movements)
    throw new Error(
      `${target} has ${found} movements in place of ${movements}. Nothing was archived.`,
    )
  return { sha256, movements }
}

/** Reads an archive of `writeMonth`. Throws unless it is the one that the database signed. */
export async function* readMonth(
  directory: string,
  keys: Keys,
  { month, movements, sha256, balances }: ArchivedMonth,
): AsyncGenerator<readonly string[]> {
  const target = join(directory, month)
  // The row of the database, which is signed again after a leak, has each of its facts.
  const manifest = await readManifest(target, 'month', keys, true)
  await compareNames(target, manifest)
  const file = await contentOf(join(target, FILE))
  if (
    file.sha256 !== sha256 ||
    manifest.files[FILE]?.sha256 !== sha256 ||
    manifest.movements !== movements ||
    manifest.balances !== balances
  )
    throw new Error(`${target} is not the archive that the database signed. Use another copy.`)
  yield* linesOf(join(target, FILE))
}

async function* linesOf(file: string): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of createReadStream(file).compose(createGunzip({ chunkSize: CHUNK }))) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    if (lines.length > 0) yield lines
  }
  if (rest !== '') yield [rest]
}
