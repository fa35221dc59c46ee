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
import type { Config } from '../configuration/config.ts'
import { idOf, KEY_LENGTH, type Keys, keysOf, type Mark, type Secret } from './keys.ts'

/** Path of the key file. It lies beside the cluster, so that no copy of the database holds keys. */
export const keyFileOf = ({ integrityKeyFile, dataDir }: Config): string =>
  integrityKeyFile ?? join(dataDir, 'keys', 'integrity')

/**
 * One key per line, newest first: its id, then the key in base64url. A leaked one has a place of
 * the audit chain. The file is the operator's, so that place needs no signature.
 */
const LINE = /^([0-9a-f]{8}) ([\w-]{43})(?: leaked (\d{1,18}) ([0-9a-f]{64}))?$/

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
  return usableKeys(file)
}

/** Opens existing keys, so that a command signs with no new one. Throws when there are none. */
export const findKeys = (config: Config): Keys => {
  const file = keyFileOf(config)
  if (!existsSync(file))
    throw new Error(
      `There is no key file at ${file}. The pool signs with its keys, and a backup is verified with those of its pool. Copy that file there, or name it in INTEGRITY_KEY_FILE.`,
    )
  return usableKeys(file)
}

const usableKeys = (file: string): Keys => {
  const secrets = readSecrets(file)
  if (secrets[0]?.leaked)
    throw new Error(
      `The newest key in ${file} is marked as leaked, so nothing can be signed. Run: npm run keys -- rotate`,
    )
  return keysOf(secrets)
}

/**
 * Adds a key that signs from the next start on. Older keys still verify. Makes a file only where
 * the operator named one, since another directory than the pool's has none.
 */
export const rotateKeys = (
  config: Config,
): { readonly file: string; readonly ids: readonly string[] } => {
  const file = keyFileOf(config)
  if (config.integrityKeyFile === undefined && !existsSync(file))
    throw new Error(
      `There is no key file at ${file}. Nothing was changed. Set DATA_DIR to the directory of your pool, or name a new file in INTEGRITY_KEY_FILE. The first start makes one, too.`,
    )
  const secrets = [newSecret(), ...(existsSync(file) ? readSecrets(file) : [])]
  if (secrets.length === 1) makeFile(file, secrets)
  else replaceFile(file, secrets)
  return { file, ids: secrets.map(({ id }) => id) }
}

/**
 * The keys as if the key `id` had not leaked, for what is checked once more before it is marked.
 * Throws when there is no such key.
 */
export const keysBefore = (config: Config, id: string): Keys => {
  findKeys(config)
  const secrets = readSecrets(keyFileOf(config))
  requireKey(config, secrets, id)
  return keysOf(secrets.map((each) => (each.id === id ? { id, bytes: each.bytes } : each)))
}

/** Marks a key as leaked, in place of an earlier mark. Throws when there is no such key. */
export const markLeaked = (config: Config, id: string, leaked: Mark): void => {
  const file = keyFileOf(config)
  const secrets = readSecrets(file)
  requireKey(config, secrets, id)
  replaceFile(
    file,
    secrets.map((each) => (each.id === id ? { ...each, leaked } : each)),
  )
}

const requireKey = (config: Config, secrets: readonly Secret[], id: string): void => {
  if (secrets.some((each) => each.id === id)) return
  throw new Error(
    `There is no key ${id} in ${keyFileOf(config)}, which has ${secrets.map((each) => each.id).join(', ')}. Nothing was changed.`,
  )
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
    const [, id = '', key = '', position, hash] = LINE.exec(line) ?? []
    const bytes = Buffer.from(key, 'base64url')
    if (id === '' || idOf(bytes) !== id) return []
    if (position === undefined || hash === undefined) return [{ id, bytes }]
    return [{ id, bytes, leaked: { position: BigInt(position), hash } }]
  })
  if (secrets.length === 0 || secrets.length < lines.length)
    throw new Error(
      `${file} is damaged: each line must be an id and its key, and may end with a mark. Restore a copy of it.`,
    )
  return secrets
}

const textOf = (secrets: readonly Secret[]): string =>
  secrets
    .map(({ id, bytes, leaked }) => {
      const mark = leaked ? ` leaked ${leaked.position} ${leaked.hash}` : ''
      return `${id} ${bytes.toString('base64url')}${mark}\n`
    })
    .join('')

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
      `Another change of the key file is running or was interrupted. If none is running, delete ${draft} and try again.`,
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
