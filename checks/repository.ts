/** What must hold of the repository's files as such. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, trackedFiles } from './sources.ts'

/** Longer than this, a file is not read in one sitting. */
const MOST_LINES = 400

type File = { readonly path: string; readonly text: string }

/** Every sentence that says what is wrong with a file. */
export const findFaults = ({ path, text }: File): string[] => [
  ...tooLong({ path, text }),
  ...(path === 'package-lock.json' ? lockfileFaults(text) : []),
  // Split, so that this file does not find itself.
  ...(/\.(tsx?|mjs|sql|css)$/.test(path) &&
  new RegExp(`\\b(${['TO', 'FIX'].map((start) => `${start}${start === 'TO' ? 'DO' : 'ME'}`).join('|')})\\b`).test(text)
    ? [`${path} leaves something for later`]
    : []),
]

type Lockfile = { readonly packages: Readonly<Record<string, { readonly optionalDependencies?: Readonly<Record<string, string>> }>> }

// A lockfile written over an existing node_modules knows only this platform's optional packages, and then a clean install fails on every one.
const lockfileFaults = (text: string): string[] => {
  const { packages } = JSON.parse(text) as Lockfile
  const locked = Object.keys(packages)
  const missing = new Set(
    Object.values(packages)
      .flatMap(({ optionalDependencies }) => Object.keys(optionalDependencies ?? {}))
      .filter((name) => !locked.some((path) => path.endsWith(`node_modules/${name}`))),
  )
  return [
    ...(/"resolved": "https?:/.test(text) ? ['package-lock.json names where packages are downloaded from'] : []),
    ...[...missing].map((name) => `package-lock.json lacks ${name}, which another platform needs`),
  ]
}

const tooLong = ({ path, text }: File): string[] => {
  const lines = text.split('\n').length
  return /\.(tsx?|mjs|css)$/.test(path) && lines > MOST_LINES ? [`${path} has ${lines} lines; the most is ${MOST_LINES}`] : []
}

if (process.argv[1] === import.meta.filename) {
  const faults = trackedFiles().flatMap((path) => findFaults({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
  for (const fault of faults) process.stderr.write(`${fault}\n`)
  process.exit(faults.length === 0 ? 0 : 1)
}
