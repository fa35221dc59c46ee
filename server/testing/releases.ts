import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'

/** Pools and sources of released versions, made by `makeRelease.ts`. */
export const RELEASES = join(import.meta.dirname, 'releases')
const MODULES = join(import.meta.dirname, '../../node_modules')

/** Contents of a released pool. Balances are in dollars. */
export type Kept = {
  readonly version: string
  readonly investors: readonly {
    readonly username: string
    readonly password: string
    readonly balance: number
  }[]
}

/** From the oldest to the newest. */
export const releasedVersions = globSync('*.sources.tar.br', { cwd: RELEASES })
  .map((file) => file.replace('.sources.tar.br', ''))
  .sort(new Intl.Collator('en', { numeric: true }).compare)

/** The version whose nodes serve during an upgrade to this one. */
export const lastRelease = releasedVersions.at(-1) ?? ''

export const keptPool = (version: string): Kept =>
  JSON.parse(readFileSync(join(RELEASES, `${version}.json`), 'utf8'))

const unpack = (archive: string, directory: string): void => {
  const input = brotliDecompressSync(readFileSync(join(RELEASES, archive)))
  execFileSync('tar', ['-C', directory, '-x', '--no-same-owner'], { input })
}

/** Unpacks the pool and the keys of a release as `pool` and `keys`. */
export const unpackPool = (version: string, directory: string): void =>
  unpack(`${version}.tar.br`, directory)

/**
 * Unpacks the sources of a release, with the packages of this checkout. Returns the directory of
 * its server.
 */
export const unpackSources = (version: string, directory: string): string => {
  const place = join(directory, 'sources')
  mkdirSync(place)
  unpack(`${version}.sources.tar.br`, place)
  linkPackages(place)
  return join(place, 'server')
}

/** Gives copied sources the packages of this checkout, and their own contract and server. */
export const linkPackages = (place: string): void => {
  const modules = join(place, 'node_modules')
  mkdirSync(join(modules, '@pool'), { recursive: true })
  for (const name of readdirSync(MODULES))
    if (name !== '@pool') symlinkSync(join(MODULES, name), join(modules, name))
  for (const name of ['contract', 'server'])
    symlinkSync(join(place, name), join(modules, '@pool', name))
}
