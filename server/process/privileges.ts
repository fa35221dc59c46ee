import { spawnSync } from 'node:child_process'
import { chownSync, lchownSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Config } from '../config.ts'
import { keyFileOf, openKeys } from '../keys/keyFile.ts'
import type { Log } from './log.ts'
import { type Identity, SERVER_USER, systemUser } from './systemUser.ts'

/** Opens each file that it is given, and says which cannot be. */
const PROBE =
  'for (const file of process.argv.slice(1)) require("fs").closeSync(require("fs").openSync(file))'

/**
 * The system user that serves where the product is started as root; undefined where it was not, and
 * where it cannot be, which is logged with the reason. The key file becomes that user's, and so
 * stays out of the reach of the database's. Throws when there is no key file and none is made.
 */
export const userToServe = (config: Config, log: Log): Identity | undefined => {
  if (process.getuid?.() !== 0) return undefined
  openKeys(config)
  try {
    const user = systemUser(SERVER_USER)
    giveKeys(config, user)
    const program = [
      join(import.meta.dirname, '../main.ts'),
      createRequire(import.meta.url).resolve('fastify'),
    ]
    requireReadable([...program, keyFileOf(config), ...certificates(config)], user)
    return user
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    log.warn(
      { reason },
      `the server goes on as root, since the user ${SERVER_USER} cannot take its place`,
    )
    return undefined
  }
}

/** What the operator put somewhere is the operator's to give. */
const giveKeys = (config: Config, { uid, gid }: Identity): void => {
  if (config.integrityKeyFile !== undefined) return
  const file = keyFileOf(config)
  // A link that this user has put there since is not followed.
  for (const path of [dirname(file), file]) lchownSync(path, uid, gid)
}

/** The files that the address of the database names. */
const certificates = ({ databaseUrl }: Config): string[] => {
  const parameters = databaseUrl === undefined ? undefined : new URL(databaseUrl).searchParams
  return ['sslrootcert', 'sslcert', 'sslkey'].flatMap((name) => parameters?.get(name) ?? [])
}

/** Tries it as that user: permissions alone do not tell. */
const requireReadable = (files: readonly string[], user: Identity): void => {
  const { error, status, stderr } = spawnSync(process.execPath, ['-e', PROBE, ...files], {
    ...user,
    cwd: '/',
    env: {},
    encoding: 'utf8',
  })
  if (error) throw new Error(`${process.execPath} cannot be run: ${error.message}`)
  if (status !== 0) throw new Error(/EACCES: [^\n]+/.exec(stderr)?.[0] ?? stderr.trim())
}

/**
 * What differs in the environment of the processes that serve: nothing by which they could own the
 * database, and a cache that they can write to.
 */
export const environmentToServe = (
  user: Identity | undefined,
): Readonly<Record<string, string | undefined>> => {
  const without = { DATABASE_OWNER_URL: undefined }
  const { NODE_COMPILE_CACHE: cache } = process.env
  if (user === undefined || cache === undefined) return without
  const own = join(cache, SERVER_USER)
  mkdirSync(own, { recursive: true })
  chownSync(own, user.uid, user.gid)
  return { ...without, NODE_COMPILE_CACHE: own }
}
