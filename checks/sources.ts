import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'oxc-parser'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** A TypeScript or SQL file with its text and imports. */
export type Source = {
  /** From the root of the repository, with forward slashes. */
  readonly path: string
  readonly text: string
  /** Files of the repository, as paths like `path`. */
  readonly files: readonly string[]
  /** Packages, by name. */
  readonly packages: readonly string[]
}

/** The files that git tracks, or will once they are added. */
export const trackedFiles = (): string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((path) => path !== '' && existsSync(join(ROOT, path)))

/** The files that the command names, or all of them. */
export const checkedFiles = (): string[] => {
  const named = process.argv.slice(2)
  return named.length === 0 ? trackedFiles() : named
}

/** All TypeScript and SQL sources, parsed. */
export const readSources = (): Source[] =>
  trackedFiles()
    .filter((path) => /\.(tsx?|sql)$/.test(path))
    .map((path) => parseSource(path, readFileSync(join(ROOT, path), 'utf8')))

/** Reads a source's imports, also of types and re-exports. The parser omits `import('…')` types. */
export const parseSource = (path: string, text: string): Source => {
  if (path.endsWith('.sql')) return { path, text, files: [], packages: [] }
  const { module } = parseSync(path, text)
  const names = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ),
    ...[...text.matchAll(/\bimport\(\s*['"`]([^'"`]+)['"`]/g)].map(([, name]) => name ?? ''),
  ]
  const files: string[] = []
  const packages: string[] = []
  for (const name of new Set(names)) {
    if (name.startsWith('.')) files.push(normalize(join(dirname(path), name)).replaceAll('\\', '/'))
    else if (name.startsWith('@pool/contract/'))
      files.push(`contract/${relative('@pool/contract', name)}.ts`)
    else
      packages.push(
        name
          .split('/')
          .slice(0, name.startsWith('@') ? 2 : 1)
          .join('/'),
      )
  }
  return { path, text, files, packages }
}
