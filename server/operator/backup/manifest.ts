/**
 * A backup's signed manifest. The key is not in the backup, so every change is detected. A backup
 * directory holds the files that its manifest names and no others.
 */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Keys, keyIdOf } from '../../base/keys/keys.ts'

/** Size in bytes and SHA-256 of a file. */
export type Content = { readonly size: number; readonly sha256: string }
/** Keyed by path in the backup. */
export type Files = Readonly<Record<string, Content>>

type Common = { readonly startedAt: string; readonly finishedAt: string; readonly files: Files }

/** The place of a backup among others. Backups of earlier versions lack both. */
export type Mark = {
  /** Identity of the pool. */
  readonly pool?: string | undefined
  /** Greater than that of each backup that was in the directory, since clocks may run ahead. */
  readonly number?: number | undefined
}

export type ClusterManifest = Common &
  Mark & {
    readonly kind: 'cluster'
    /** Version of the server. */
    readonly postgres: string
    /** First and last segment of the write-ahead log that a restore needs. */
    readonly firstSegment: string
    readonly lastSegment: string
  }
export type DumpManifest = Common & Mark & { readonly kind: 'dump' }
/** An archived month of movements (docs/partitions.md). */
export type MonthManifest = Common & {
  readonly kind: 'month'
  readonly month: string
  /** Number of movements. */
  readonly movements: number
  /** Digest of the closing balances after the month. */
  readonly balances: string
}
export type Manifest = ClusterManifest | DumpManifest | MonthManifest

/** The use of each kind, as the end of a sentence. */
const uses: Readonly<Record<Manifest['kind'], string>> = {
  cluster: 'a backup of the embedded database. Restore it without a DATABASE_URL',
  dump: 'a backup of the database at a DATABASE_URL. Restore it with one',
  month: 'an archived month. Give its directory to: npm run ledger:check -- --archive',
}

export const MANIFEST = 'manifest.json'

/**
 * Makes the backup `target`, which appears only when complete and synced to disk. `fill` writes the
 * files to a draft and returns their manifest. Throws and removes the draft on failure.
 */
export const makeBackup = async <M extends Manifest>(
  target: string,
  keys: Keys,
  fill: (draft: string) => Promise<M>,
): Promise<M> => {
  const draft = `${target}.draft`
  await mkdir(draft, { recursive: true, mode: 0o700 })
  try {
    const manifest = await fill(draft)
    const signed = { ...manifest, mac: keys.sign('backup manifest', JSON.stringify(manifest)) }
    await writeFile(join(draft, MANIFEST), `${JSON.stringify(signed, null, 1)}\n`, { mode: 0o600 })
    await flush(draft)
    await rename(draft, target)
    await flushDirectory(dirname(target))
    return manifest
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

const flush = async (directory: string): Promise<void> => {
  for (const entry of await readdir(directory, { withFileTypes: true, recursive: true })) {
    const handle = await open(join(entry.parentPath, entry.name), 'r')
    await handle.sync()
    await handle.close()
  }
  await flushDirectory(directory)
}

/** Syncs the names in a directory. Windows cannot open one. */
const flushDirectory = async (directory: string): Promise<void> => {
  if (process.platform === 'win32') return
  const handle = await open(directory, 'r')
  await handle.sync()
  await handle.close()
}

/** A manifest with the signature that it was read with. */
export type Signed = { readonly manifest: Manifest; readonly mac: string }

/**
 * Reads the manifest of a backup of this kind. Throws when it is missing, of another kind, or not
 * signed with one of the keys.
 */
export const readManifest = async <K extends Manifest['kind']>(
  backup: string,
  kind: K,
  keys: Keys,
  isVouchedFor = false,
): Promise<Manifest & { kind: K }> => {
  const { manifest } = await readSigned(backup, keys, isVouchedFor)
  if (manifest.kind !== kind)
    throw new Error(`${backup} is ${uses[manifest.kind] ?? 'of a newer version'}.`)
  return manifest as Manifest & { kind: K }
}

/**
 * Reads a manifest of any kind. Throws when it is missing, not signed with one of the keys, or with
 * a leaked one. `isVouchedFor` takes that, since the caller compares all of it with another record.
 */
export const readSigned = async (
  backup: string,
  keys: Keys,
  isVouchedFor = false,
): Promise<Signed> => {
  const { mac, ...manifest } = await parsed(backup)
  const verdict = keys.verify(
    'backup manifest',
    JSON.stringify(manifest),
    typeof mac === 'string' ? mac : '',
  )
  if (verdict === 'unknownKey')
    throw new Error(
      `${backup} was not signed with a key of this product (${keys.ids.join(', ')}). Put the key file of the product that made it in place. If this is that product, the backup is forged.`,
    )
  if (verdict === 'leaked' && !isVouchedFor)
    throw new Error(
      `${backup} was signed with the key ${keyIdOf(String(mac))}, which leaked, so anyone may have made it. Use a backup that was made after. If there is none, take the mark from a copy of the key file, name that in INTEGRITY_KEY_FILE, and compare with a head that you kept: --head POSITION HASH`,
    )
  if (verdict === 'wrong')
    throw new Error(
      `The backup was tampered with: ${join(backup, MANIFEST)} is not what was signed. Use another backup.`,
    )
  return { manifest: manifest as unknown as Manifest, mac: String(mac) }
}

const parsed = async (backup: string): Promise<Record<string, unknown>> => {
  try {
    return JSON.parse(await readFile(join(backup, MANIFEST), 'utf8')) as Record<string, unknown>
  } catch {
    throw new Error(`${backup} is not a backup: it has no ${MANIFEST} that can be read.`)
  }
}

/**
 * Throws when the backup's files differ from the manifest's by name. Contents are compared when
 * read.
 */
export const compareNames = async (backup: string, { files }: Manifest): Promise<void> => {
  const found = new Set<string>()
  for (const entry of await readdir(backup, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name)
    const name = path.slice(join(backup, '/').length).replaceAll('\\', '/')
    if (entry.isDirectory() || name === MANIFEST) continue
    if (!entry.isFile())
      throw new Error(`The backup was tampered with: ${path} is a link or not a regular file.`)
    if (!Object.hasOwn(files, name))
      throw new Error(`The backup was tampered with: its manifest does not name ${path}.`)
    found.add(name)
  }
  const missing = Object.keys(files).find((name) => !found.has(name))
  if (missing !== undefined)
    throw new Error(`The backup is damaged: ${join(backup, missing)} is missing.`)
}

export const contentOf = async (file: string): Promise<Content> => {
  const source = createReadStream(file)
  const hash = createHash('sha256')
  await pipeline(source, hash)
  return { size: source.bytesRead, sha256: hash.digest('hex') }
}

/** Throws unless the backup has the files of its manifest with their contents, and no others. */
export const compareFiles = async (backup: string, manifest: Manifest): Promise<void> => {
  await compareNames(backup, manifest)
  for (const [name, content] of Object.entries(manifest.files))
    compareContent(join(backup, name), await contentOf(join(backup, name)), content)
}

/** Copies a file to a new one and returns its size and hash. */
export const copyFile = async (file: string, target: string): Promise<Content> => {
  const source = createReadStream(file)
  const hash = createHash('sha256')
  const measured = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk)
      yield chunk
    }
  }
  await pipeline(source, measured, createWriteStream(target, { flags: 'wx', mode: 0o600 }))
  return { size: source.bytesRead, sha256: hash.digest('hex') }
}

/** Copies a backup's file to a new one. Hashes while it copies, so no change slips in between. */
export const copyVerified = async (
  source: string,
  target: string,
  content: Content,
): Promise<void> => {
  compareContent(source, await copyFile(source, target), content)
}

/** Throws when a backup's file differs from its manifest. */
export const compareContent = (file: string, found: Content, { size, sha256 }: Content): void => {
  if (found.size !== size || found.sha256 !== sha256)
    throw new Error(`The backup is damaged: ${file} is not as it was written.`)
}
