import { spawnSync } from 'node:child_process'
import { chownSync, lchownSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Config } from '../configuration/config.ts'
import { urlsOf } from '../configuration/databaseUrls.ts'
import { keyFileOf, openKeys } from '../keys/keyFile.ts'
import type { Log } from './log.ts'
import { type Identity, SERVER_USER, systemUser } from './systemUser.ts'

/** Opens every given file, and fails with the error of an unreadable one. */
const PROBE =
  'for (const file of process.argv.slice(1)) require("fs").closeSync(require("fs").openSync(file))'

/**
 * System user of the server when root starts the product, else undefined. Gives it the key file.
 * Logs the reason and returns undefined when it cannot serve. Throws without a key file.
 */
export const userToServe = (config: Config, log: Log): Identity | undefined => {
  if (process.getuid?.() !== 0) return undefined
  openKeys(config)
  try {
    const user = systemUser(SERVER_USER)
    giveKeys(config, user)
    const program = [
      join(import.meta.dirname, '../../main.ts'),
      createRequire(import.meta.url).resolve('fastify'),
    ]
    const ofOperator = [...certificates(config), ...(config.chainsFile ? [config.chainsFile] : [])]
    requireReadable([...program, keyFileOf(config), ...ofOperator], user)
    return user
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    log.warn({ reason }, `the server runs as root, because the user ${SERVER_USER} cannot`)
    return undefined
  }
}

/** Leaves a key file alone that the operator placed. */
const giveKeys = (config: Config, { uid, gid }: Identity): void => {
  if (config.integrityKeyFile !== undefined) return
  const file = keyFileOf(config)
  // Does not follow a link that this user has put there since.
  for (const path of [dirname(file), file]) lchownSync(path, uid, gid)
}

/** Files that the database's URLs name. */
const certificates = ({ databaseUrl, databaseDirectUrl }: Config): string[] =>
  [databaseUrl, databaseDirectUrl].flatMap((url) => {
    const parameters = url === undefined ? undefined : new URL(urlsOf(url)[0]).searchParams
    return ['sslrootcert', 'sslcert', 'sslkey'].flatMap((name) => parameters?.get(name) ?? [])
  })

/** Opens the files as that user, since modes alone do not show access. */
const requireReadable = (files: readonly string[], user: Identity): void => {
  const { error, status, stderr } = spawnSync(process.execPath, ['-e', PROBE, ...files], {
    ...user,
    cwd: '/',
    env: {},
    encoding: 'utf8',
  })
  if (error) throw new Error(`${process.execPath} cannot run: ${error.message}`)
  if (status !== 0) throw new Error(/EACCES: [^\n]+/.exec(stderr)?.[0] ?? stderr.trim())
}

/**
 * Environment changes for server processes: no owner URL, and a compile cache that they can write.
 */
export const environmentToServe = (
  user: Identity | undefined,
): Readonly<Record<string, string | undefined>> => {
  const without = { DATABASE_OWNER_URL: undefined }
  const { NODE_COMPILE_CACHE: cache } = process.env
  if (user === undefined || cache === undefined) return without
  const own = join(cache, SERVER_USER)
  try {
    mkdirSync(own, { recursive: true })
    chownSync(own, user.uid, user.gid)
  } catch {
    // On a disk for reading each start compiles anew.
    return { ...without, NODE_COMPILE_CACHE: undefined }
  }
  return { ...without, NODE_COMPILE_CACHE: own }
}
