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

/**
 * Where the keys are: beside the embedded database's cluster, never inside, so that no copy of the
 * database holds them.
 */
export const keyFileOf = ({ integrityKeyFile, dataDir }: Config): string =>
  integrityKeyFile ?? join(dataDir, 'keys', 'integrity')

/** A line for each key, the newest first: its id, and the key in base64url. */
const LINE = /^([0-9a-f]{8}) ([\w-]{43})$/

/**
 * The product's keys. Makes the first one at a first start; a file that the operator named is never
 * made, since it may only be out of reach.
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

/** The product's keys, to verify what was signed before. Throws when there are none. */
export const findKeys = (config: Config): Keys => {
  const file = keyFileOf(config)
  if (!existsSync(file))
    throw new Error(
      `There is no key file at ${file}. A backup is verified with the key of the product that made it: copy that key file there, or name it in INTEGRITY_KEY_FILE.`,
    )
  return keysOf(readSecrets(file))
}

/**
 * Adds a new key, which signs from the next start on; the others still verify. Makes the file where
 * there is none.
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
      `Everybody on this machine can reach the key file ${file}. Take that away: chmod 600 ${file}`,
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
      `${file} is not a whole key file: a line is an id and its key. Put a copy of it back.`,
    )
  return secrets
}

const textOf = (secrets: readonly Secret[]): string =>
  secrets.map(({ id, bytes }) => `${id} ${bytes.toString('base64url')}\n`).join('')

/**
 * Makes a file that was not there, whole or not at all; where two do so at once, the first one's
 * stays.
 */
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
      `Another rotation is under way, or was broken off. If none is, delete ${draft} and try again.`,
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

/** A key that signed something and is lost in a power cut would make that look forged. */
const flushDirectory = (directory: string): void => {
  // Windows opens no directory.
  if (process.platform === 'win32') return
  const handle = openSync(directory, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
