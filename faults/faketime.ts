/** Runs a PostgreSQL whose clock can jump, with Debian's libfaketime. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { preparePostgresFiles } from '../server/base/postgres/files.ts'
import { connectTo } from '../server/testing/process.ts'
import type { Directory } from './run.ts'

const LIBRARY = 'faketime/libfaketime.so.1'

const found = (): string | undefined => {
  if (process.platform !== 'linux') return undefined
  return readdirSync('/usr/lib')
    .map((name) => join('/usr/lib', name, LIBRARY))
    .find((path) => existsSync(path))
}

const apt = (...options: readonly string[]): boolean =>
  spawnSync('apt-get', ['-qq', ...options], {
    stdio: 'ignore',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }).status === 0

/** The library's path, after an installation where apt-get is available; else undefined. */
export const ensureFaketime = (): string | undefined => {
  if (found() === undefined && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get'))
    apt('update') && apt('install', '-y', '--no-install-recommends', 'libfaketime')
  return found()
}

/**
 * Runs a data directory's database beside the product. Returns its address and a way to shift its
 * clock.
 */
export const openDatabaseWithClock = async (directory: Directory, library: string) => {
  const { bin, cluster, socket, identity } = preparePostgresFiles(
    directory.dataDir,
    () => undefined,
  )
  const file = join(directory.directory, 'clock')
  const set = (seconds: number) =>
    writeFileSync(file, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}`)
  set(0)
  const settings = {
    listen_addresses: '',
    unix_socket_directories: socket,
    max_connections: '120',
    timezone: 'UTC',
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  spawn(join(bin, 'postgres'), ['-D', cluster, ...options], {
    ...identity,
    cwd: socket,
    detached: true,
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      LC_ALL: 'C',
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      // Setting a real clock changes neither durations nor the times of files on the disk.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    },
  })
  const { pool, close } = connectTo(directory)
  /** The shift of the clock, in seconds. */
  const offset = async (): Promise<number> => {
    const { rows } = await pool.query<{ now: number }>(
      'SELECT extract(epoch FROM clock_timestamp())::float8 AS now',
    )
    return (rows[0]?.now ?? 0) - Date.now() / 1_000
  }
  /** True when the shift is this many seconds, within the time of a slow response. */
  const shows = async (seconds: number): Promise<boolean> =>
    Math.abs((await offset().catch(() => Number.NaN)) - seconds) < 60
  const untilItShows = (seconds: number) =>
    expect.poll(() => shows(seconds), { interval: 100 }).toBe(true)
  await untilItShows(0)
  return {
    turn: async (seconds: number) => {
      set(seconds)
      await untilItShows(seconds)
    },
    shows,
    close,
  }
}
