/** Every path, link and npm script that a prose file names exists. */
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { ROOT, trackedFiles } from './sources.ts'

type Prose = { readonly path: string; readonly text: string }

/** Every file and folder of the repository, from its root, and the names of its npm scripts. */
export type Repository = {
  readonly paths: ReadonlySet<string>
  readonly scripts: ReadonlySet<string>
}

/** The repository as git knows it: results of a build or an installation do not count. */
const readRepository = (): Repository => {
  const files = trackedFiles()
  const folders = files.flatMap((file) =>
    file.split('/').map((_, depth, parts) => parts.slice(0, depth).join('/')),
  )
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: object
  }
  return { paths: new Set([...files, ...folders]), scripts: new Set(Object.keys(scripts)) }
}

/** A sentence for each thing that a prose file names and the repository lacks. */
export const findMissing = ({ path, text }: Prose, { paths, scripts }: Repository): string[] => {
  const folder = dirname(path)
  const isThere = (named: string): boolean =>
    paths.has(normalize(named).replaceAll('\\', '/').replace(/\/$/, ''))
  const isNear = (named: string, ...folders: readonly string[]): boolean =>
    ['', folder, ...folders].some((each) => isThere(join(each, named)))
  const isAnyName = (named: string): boolean =>
    [...paths].some((each) => each === named || each.endsWith(`/${named}`))

  const { prose, code } = partsOf(text)
  const missing = [
    ...linksIn(prose).filter((link) => !isThere(join(folder, link))),
    ...pathsIn(prose, paths).filter((named) =>
      named.includes('/') ? !isNear(named) : !isAnyName(named),
    ),
    // Diagrams shorten the paths of the server.
    ...filesIn(code).filter((named) => !isNear(named, 'server')),
  ]
  return [
    ...[...new Set(missing)].map((named) => `${path} names ${named}, which is not there`),
    ...scriptsIn(text)
      .filter((name) => !scripts.has(name))
      .map((name) => `${path} names npm run ${name}, which package.json lacks`),
  ]
}

const FENCED = /^```.*\n[\s\S]*?^```$/gm
const partsOf = (text: string) => ({
  prose: text.replace(FENCED, ''),
  code: (text.match(FENCED) ?? []).join('\n'),
})

/** The targets of links and pictures within the repository, without anchors. */
const linksIn = (prose: string): string[] =>
  [...prose.matchAll(/\]\((?!\w+:|#)([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target)

const EXTENSION = /\.(tsx?|mjs|css|json|md|sql|ya?ml)$/
/** A part of a name that the reader fills in. */
const PLACEHOLDER = /\b(NNNN|NAME)\b/

/**
 * Paths between backquotes: they begin with a folder of the root, or end like a file of ours. A
 * path of a URL begins with a slash.
 */
const pathsIn = (prose: string, paths: ReadonlySet<string>): string[] =>
  [...prose.matchAll(/`([\w.@/-]+)`/g)]
    .map(([, named = '']) => named)
    .filter(
      (named) =>
        EXTENSION.test(named) || (named.includes('/') && paths.has(named.split('/')[0] ?? '')),
    )
    .filter((named) => /^[\w.]/.test(named) && !PLACEHOLDER.test(named))

const filesIn = (code: string): string[] =>
  (code.match(/(?<![\w$:/.-])[\w.-]+(\/[\w.-]+)+/g) ?? []).filter(
    (named) => EXTENSION.test(named) && !PLACEHOLDER.test(named),
  )

const scriptsIn = (text: string): string[] =>
  [...text.matchAll(/\bnpm run\s+([\w:-]+)/g)].map(([, name = '']) => name)

/** The sentences about every prose file. */
export const findAllMissing = (): string[] => {
  const repository = readRepository()
  return trackedFiles()
    .filter((path) => path.endsWith('.md'))
    .flatMap((path) =>
      findMissing({ path, text: readFileSync(join(ROOT, path), 'utf8') }, repository),
    )
}

if (process.argv[1] === import.meta.filename) {
  const faults = findAllMissing()
  for (const fault of faults) process.stderr.write(`${fault}\n`)
  process.exit(faults.length === 0 ? 0 : 1)
}
