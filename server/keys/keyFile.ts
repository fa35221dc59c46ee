import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  existsSync,
  fchownSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '../config.ts'
import { idOf, KEY_LENGTH, type Keys, keysOf, type Secret } from './keys.ts'

/** Path of the key file. It lies beside the cluster, so that no copy of the database holds keys. */
export const keyFileOf = ({ integrityKeyFile, dataDir }: Config): string =>
  integrityKeyFile ?? join(dataDir, 'keys', 'integrity')

/** One key per line, newest first: its id, then the key in base64url. */
const LINE = /^([0-9a-f]{8}) ([\w-]{43})$/

/**
 * Opens the product's keys, and makes the first one at a first start. Never makes a file that the
 * operator named, since that may only be out of reach.
 */
export const openKeys = (config: Config): Keys => {
  const file = keyFileOf(config)
  if (!existsSync(file)) {
    if (config.integrityKeyFile !== undefined)
      throw new Error(
        `There is no key file at ${file}, which INTEGRITY_KEY_FILE names. Put it there, or make one: npm run keys -- rotate`,
      )
    makeFile(file, [newSecret()])
  }
  return keysOf(readSecrets(file))
}

/** Opens existing keys, to verify earlier signatures. Throws when there are none. */
export const findKeys = (config: Config): Keys => {
  const file = keyFileOf(config)
  if (!existsSync(file))
    throw new Error(
      `There is no key file at ${file}. A backup is verified with the key of the product that made it. Copy that key file there, or name it in INTEGRITY_KEY_FILE.`,
    )
  return keysOf(readSecrets(file))
}

/**
 * Adds a key that signs from the next start on. Older keys still verify. Makes the file if there is
 * none.
 */
export const rotateKeys = (
  config: Config,
): { readonly file: string; readonly ids: readonly string[] } => {
  const file = keyFileOf(config)
  const secrets = [newSecret(), ...(existsSync(file) ? readSecrets(file) : [])]
  if (secrets.length === 1) makeFile(file, secrets)
  else replaceFile(file, secrets)
  return { file, ids: secrets.map(({ id }) => id) }
}

const newSecret = (): Secret => {
  const bytes = randomBytes(KEY_LENGTH)
  return { id: idOf(bytes), bytes }
}

const readSecrets = (file: string): Secret[] => {
  // Windows has no such bits.
  if (process.platform !== 'win32' && (statSync(file).mode & 0o007) !== 0)
    throw new Error(
      `Every user of this machine can read the key file ${file}. Run: chmod 600 ${file}`,
    )
  const lines = readFileSync(file, 'utf8')
    .split(/\r?\n/)
    .filter((line) => line !== '')
  const secrets = lines.flatMap((line) => {
    const [, id = '', key = ''] = LINE.exec(line) ?? []
    const bytes = Buffer.from(key, 'base64url')
    return id !== '' && idOf(bytes) === id ? [{ id, bytes }] : []
  })
  if (secrets.length === 0 || secrets.length < lines.length)
    throw new Error(
      `${file} is damaged: each line must be an id and its key. Restore a copy of it.`,
    )
  return secrets
}

const textOf = (secrets: readonly Secret[]): string =>
  secrets.map(({ id, bytes }) => `${id} ${bytes.toString('base64url')}\n`).join('')

/** Makes a new file atomically. Of two simultaneous calls, the first one's file stays. */
const makeFile = (file: string, secrets: readonly Secret[]): void => {
  const directory = dirname(file)
  if (!existsSync(directory)) {
    mkdirSync(directory, { recursive: true })
    chmodSync(directory, 0o700)
  }
  const draft = `${file}.${process.pid}`
  writeDraft(draft, secrets)
  try {
    linkSync(draft, file)
    flushDirectory(directory)
  } catch (error) {
    if (!existsSync(file)) throw error
  } finally {
    rmSync(draft)
  }
}

const replaceFile = (file: string, secrets: readonly Secret[]): void => {
  const draft = `${file}.draft`
  if (existsSync(draft))
    throw new Error(
      `Another rotation is running or was interrupted. If none is running, delete ${draft} and try again.`,
    )
  writeDraft(draft, secrets, statSync(file))
  renameSync(draft, file)
  flushDirectory(dirname(file))
}

const writeDraft = (
  draft: string,
  secrets: readonly Secret[],
  owner?: { readonly uid: number; readonly gid: number },
): void => {
  const handle = openSync(draft, 'wx', 0o600)
  try {
    writeSync(handle, textOf(secrets))
    if (owner) fchownSync(handle, owner.uid, owner.gid)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Syncs the directory. Losing a key in a power cut would make its signatures look forged. */
const flushDirectory = (directory: string): void => {
  // Windows cannot open a directory.
  if (process.platform === 'win32') return
  const handle = openSync(directory, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
