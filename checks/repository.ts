/** Checks widths, the lockfile and npm's settings. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, trackedFiles } from './sources.ts'

type File = { readonly path: string; readonly text: string }

/** One sentence for each fault of a file. */
export const findFaults = ({ path, text }: File): string[] => [
  ...tooWide({ path, text }),
  ...(path === 'package-lock.json' ? lockfileFaults(text) : []),
  ...(path === '.npmrc' ? npmFaults(text) : []),
  // Built from parts, or this file would find itself.
  ...(/\.(tsx?|mjs|sql|css)$/.test(path) &&
  new RegExp(
    `\\b(${['TO', 'FIX'].map((start) => `${start}${start === 'TO' ? 'DO' : 'ME'}`).join('|')})\\b`,
  ).test(text)
    ? [`${path} leaves something for later`]
    : []),
]

type Locked = {
  readonly version?: string
  readonly integrity?: string
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly license?: string
  readonly hasInstallScript?: boolean
  readonly link?: boolean
}
export type Lockfile = { readonly packages: Readonly<Record<string, Locked>> }

/** Licences that suit a product under MIT; another one needs a decision first. */
const LICENCES = [
  '(MIT OR CC0-1.0)',
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC-BY-4.0',
  'ISC',
  'MIT',
  'MIT-0',
  'MIT AND OFL-1.1',
  'MIT OR Apache-2.0',
  'MPL-2.0',
  'OFL-1.1',
  'Python-2.0',
  'Unlicense',
]

/** Of packages that name none in `package.json`, but have the text of one in their `LICENSE`. */
const LICENCES_IN_FILES: Readonly<Record<string, string>> = { 'png-js@2.0.0': 'MIT' }

const { allowScripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  allowScripts: Readonly<Record<string, boolean>>
}

const nameOf = (path: string): string => path.split('node_modules/').at(-1) ?? path

/** npm runs no install script, locks no version younger than a week, and names no registry. */
const NPM_SETTINGS = [
  'ignore-scripts=true',
  'min-release-age=7',
  'omit-lockfile-registry-resolved=true',
]

const npmFaults = (text: string): string[] =>
  NPM_SETTINGS.filter((setting) => !text.split('\n').includes(setting)).map(
    (setting) => `.npmrc lacks ${setting}`,
  )

// An install script has the rights of the installing user (docs/threats.md T25), so none may run.
const supplyFaults = (lockfile: Lockfile): string[] =>
  lockedPackages(lockfile).flatMap(({ name, hasInstallScript, license, integrity }) => [
    ...(hasInstallScript && allowScripts[name] !== false
      ? [`${name} has an install script. Make sure it works without, then deny it in allowScripts.`]
      : []),
    ...(license === undefined || !LICENCES.includes(license)
      ? [`${name} has the licence ${license ?? '(none)'}, which is not on the list`]
      : []),
    ...(integrity?.startsWith('sha512-') ? [] : [`${name} has no SHA-512 hash`]),
  ])

/** The packages of a lockfile from outside this repository. */
export const lockedPackages = ({ packages }: Lockfile) =>
  Object.entries(packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && !link)
    .map(([path, locked]) => {
      const name = nameOf(path)
      const license = locked.license ?? LICENCES_IN_FILES[`${name}@${locked.version}`]
      return { ...locked, path, name, ...(license !== undefined && { license }) }
    })

/** One sentence for each installed package that differs from package-lock.json. */
export const notAsLocked = ({ packages }: Lockfile, installed: Lockfile): string[] =>
  lockedPackages(installed)
    .filter(({ path, integrity }) => packages[path]?.integrity !== integrity)
    .map(({ name }) => `${name} differs from package-lock.json. Run: npm ci`)

// A lockfile written beside an old node_modules lacks other platforms, and fails to install there.
const lockfileFaults = (text: string): string[] => {
  const lockfile = JSON.parse(text) as Lockfile
  const { packages } = lockfile
  const locked = Object.keys(packages)
  const missing = new Set(
    Object.values(packages)
      .flatMap(({ optionalDependencies }) => Object.keys(optionalDependencies ?? {}))
      .filter((name) => !locked.some((path) => path.endsWith(`node_modules/${name}`))),
  )
  return [
    ...(/"resolved": "https?:/.test(text) ? ['package-lock.json names a registry'] : []),
    ...supplyFaults(lockfile),
    ...[...missing].map((name) => `package-lock.json lacks ${name}, which another platform needs`),
  ]
}

/** The formatter's width; it does not wrap comments. */
const COMMENT_WIDTH = 100
const PROSE_WIDTH = 120
const COMMENT = /^\s*(\/\/|\/?\*{1,2}|--)\s/

/** Finds wide comments and prose. Tables, code and URLs in prose may be wider. */
const tooWide = ({ path, text }: File): string[] => {
  const isProse = path.endsWith('.md')
  if (!isProse && (!/\.(tsx?|mjs|css|sql)$/.test(path) || path.endsWith('schema.sql'))) return []
  const most = isProse ? PROSE_WIDTH : COMMENT_WIDTH
  let isCode = false
  return text.split('\n').flatMap((line, index) => {
    if (isProse && line.trimStart().startsWith('```')) isCode = !isCode
    const counts = isProse ? !isCode && !/^\s*\||\S{100}/.test(line) : COMMENT.test(line)
    return counts && line.length > most
      ? [`${path}:${index + 1} is ${line.length} columns wide; the most is ${most}`]
      : []
  })
}

if (process.argv[1] === import.meta.filename) {
  const lockfileIn = (path: string) =>
    JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as Lockfile
  const faults = [
    ...trackedFiles().flatMap((path) =>
      findFaults({ path, text: readFileSync(join(ROOT, path), 'utf8') }),
    ),
    ...notAsLocked(lockfileIn('package-lock.json'), lockfileIn('node_modules/.package-lock.json')),
  ]
  for (const fault of faults) process.stderr.write(`${fault}\n`)
  process.exit(faults.length === 0 ? 0 : 1)
}
