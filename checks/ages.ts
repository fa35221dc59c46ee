/**
 * Fails when a locked version was younger than `min-release-age` when it was locked, by the
 * registry's publication times. Passes with a notice when the registry does not answer.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Lockfile, lockedPackages } from './repository.ts'
import { ROOT } from './sources.ts'

const DAY_MS = 86_400_000
const REQUEST_TIMEOUT_MS = 60_000
const REQUESTS_AT_ONCE = 8
/** The files that say what is installed, and how old that must be. */
const RULED_BY = ['package-lock.json', '.npmrc'] as const

/** Publication times by version, of a package. */
type Times = Readonly<Record<string, string>>
type Answer = { readonly time?: Times }

type Locked = {
  readonly lockfile: Lockfile
  /** The moment that the lockfile was last changed: any version in it was chosen or kept then. */
  readonly at: Date
  readonly days: number
  readonly timesOf: ReadonlyMap<string, Times>
}

/** One sentence for each locked version that was too young then, or that has no time. */
export const tooYoung = ({ lockfile, at, days, timesOf }: Locked): string[] => {
  const versions = new Map(
    lockedPackages(lockfile).map(({ name, version = '' }) => [`${name}@${version}`, name]),
  )
  const latest = new Date(at.getTime() - days * DAY_MS)
  return [...versions].flatMap(([version, name]) => {
    const published = timesOf.get(name)?.[version.slice(name.length + 1)]
    if (published === undefined) return [`${version} has no publication time`]
    return new Date(published) > latest
      ? [`${version} is of ${published}, less than ${days} days before ${at.toISOString()}`]
      : []
  })
}

/** The days of `min-release-age`. Undefined without the setting. */
export const daysIn = (npmrc: string): number | undefined => {
  const [, days] = /^min-release-age=(\d+)$/m.exec(npmrc) ?? []
  return days === undefined ? undefined : Number(days)
}

/** The last commit of the lockfile or of npm's settings, or now if they are changed since. */
const lockedAt = (): Date => {
  const git = (...options: string[]) =>
    execFileSync('git', [...options, '--', ...RULED_BY], { cwd: ROOT, encoding: 'utf8' }).trim()
  const isChanged = git('status', '--porcelain') !== ''
  return isChanged ? new Date() : new Date(Number(git('log', '-1', '--format=%ct')) * 1_000)
}

/** The address in npm's configuration, with a slash at its end. */
const registry = (): string =>
  spawnSync('npm', ['config', 'get', 'registry'], {
    cwd: ROOT,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
    .stdout.trim()
    .replace(/\/?$/, '/')

/** Asks for the times of each package. Undefined when one request fails. */
const askTimes = async (names: readonly string[]): Promise<Map<string, Times> | undefined> => {
  const address = registry()
  const waiting = [...names]
  const found = new Map<string, Times>()
  const ask = async () => {
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      const response = await fetch(address + name.replace('/', '%2f'), {
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      })
      // A package that is gone has no times.
      const { time } = (response.status === 404 ? { time: {} } : await response.json()) as Answer
      if (time === undefined) throw new Error(`${name}: ${response.status} without times`)
      found.set(name, time)
    }
  }
  try {
    await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, ask))
    return found
  } catch {
    return undefined
  }
}

if (process.argv[1] === import.meta.filename) {
  const lockfile = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lockfile
  const days = daysIn(readFileSync(join(ROOT, '.npmrc'), 'utf8')) ?? 0
  const names = [...new Set(lockedPackages(lockfile).map(({ name }) => name))]
  const timesOf = await askTimes(names)
  if (timesOf === undefined)
    process.stdout.write('Skipped: the registry does not answer about publication times.\n')
  const faults = timesOf ? tooYoung({ lockfile, at: lockedAt(), days, timesOf }) : []
  for (const fault of faults) process.stderr.write(`${fault}\n`)
  process.exit(faults.length === 0 ? 0 : 1)
}
