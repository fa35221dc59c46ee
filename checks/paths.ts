/** Fails when prose names a path, link or npm script that does not exist. */
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { ROOT, trackedFiles } from './sources.ts'

type Prose = { readonly path: string; readonly text: string }

/** The repository's files and folders, from its root, and its npm scripts. */
export type Repository = {
  readonly paths: ReadonlySet<string>
  readonly scripts: ReadonlySet<string>
}

/** Reads git's files; output of a build or an installation does not count. */
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

/** One sentence for each name in a prose file that the repository lacks. */
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
    ...[...new Set(missing)].map((named) => `${path} names ${named}, which does not exist`),
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
/** A part of a path that stands for many. */
const PLACEHOLDER = /\b(NNNN|NAME)\b/

/**
 * Paths in backquotes that begin with a root folder or end like a source file. URLs begin with /.
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

/** The sentences about all prose files. */
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
