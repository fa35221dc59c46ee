// Runs `npm run test:changed`: tests that ran the functions that changed since the last whole run.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildWeb } from './build.mjs'
import { environment, install, NODE } from './install.mjs'
import { ROOT } from './root.mjs'
import { readKept } from './tests/records.mjs'

/** Seconds of tests, as last recorded: two minutes on two cores. */
const SECONDS = 240

await install()
const git = (...options) => {
  const { status, stdout, stderr } = spawnSync('git', options, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 ** 2,
  })
  if (status !== 0) throw new Error(stderr)
  return stdout
}
const linesOf = (text) => text.split('\n').filter((line) => line !== '')

/** The changed lines of each file, as the recorded commit numbers them. */
const rangesSince = (commit) => {
  const ranges = new Map()
  let path
  for (const line of linesOf(git('diff', '--unified=0', '--no-renames', commit))) {
    const [, name] = /^--- (?:a\/)?(.*)$/.exec(line) ?? []
    if (name !== undefined) path = name
    const [, from, count = '1'] = /^@@ -(\d+)(?:,(\d+))? /.exec(line) ?? []
    if (from === undefined || path === '/dev/null') continue
    const first = Number(from)
    const last = first + Math.max(Number(count), 1) - 1
    ranges.set(path, [...(ranges.get(path) ?? []), [first, last]])
  }
  return ranges
}

/** Files that import a source by name, where the source runs nothing itself: a table of data. */
const importersOf = (path) => {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.tsx?$/, '')
  return linesOf(
    spawnSync('git', ['grep', '-lE', `from '[^']*/${name}(\\.tsx?)?'`, '--', '*.ts', '*.tsx'], {
      cwd: ROOT,
      encoding: 'utf8',
    }).stdout,
  )
}

const isTest = (path) => /\.test\.tsx?$/.test(path)
const kept = readKept()
if (kept === undefined) {
  console.error(
    'No record says which tests run what. `npm run test:all` makes it; until then, use `npm test`.',
  )
  process.exit(2)
}
// The Node of a fresh clone may not read TypeScript.
const { pick } = await import('./tests/pick.ts')
const { functionsOfSql, touchedIn } = await import('./tests/touched.ts')
const ranges = rangesSince(kept.commit)
const added = linesOf(git('ls-files', '--others', '--exclude-standard'))
const since = linesOf(git('diff', '--name-only', '--no-renames', kept.commit))
const paths = [...new Set([...since, ...added])]
const recorded = new Set(kept.files.flatMap(({ functions }) => Object.keys(functions)))
const changes = paths
  .filter((path) => !isTest(path))
  .flatMap((path) => {
    const sqlNames =
      path.endsWith('.sql') && existsSync(join(ROOT, path))
        ? functionsOfSql(readFileSync(join(ROOT, path), 'utf8'))
        : undefined
    if (sqlNames !== undefined) return [{ path, names: new Set(), isWhole: false, sqlNames }]
    const own = ranges.get(path)
    if (own === undefined || !/\.tsx?$/.test(path)) return []
    const touched = touchedIn(path, git('show', `${kept.commit}:${path}`), own)
    const whole = recorded.has(path) ? [path] : importersOf(path)
    const users = touched.isWhole
      ? whole.map((each) => ({ path: each, names: new Set(), isWhole: true }))
      : []
    return [{ path, names: touched.names, isWhole: false }, ...users]
  })

const changedTests = paths.filter((path) => isTest(path) && existsSync(join(ROOT, path)))
const { files, leftOut } = pick(kept.files, changes, { changedTests, seconds: SECONDS })
if (leftOut.length > 0)
  console.log(
    `${leftOut.length} more files of tests run what changed. \`npm run test:all\` runs them.`,
  )
if (files.length === 0) {
  console.log('No recorded test without a browser runs what changed.')
  process.exit(0)
}
console.log(`${files.length} files of tests run what changed.`)
if (files.some((file) => file.startsWith('server/'))) await buildWeb()
const { status } = spawnSync(
  NODE,
  [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', ...files],
  {
    cwd: ROOT,
    stdio: 'inherit',
    env: environment(),
  },
)
process.exit(status ?? 1)
