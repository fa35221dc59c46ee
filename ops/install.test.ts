import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { extentOf } from './install.mjs'
import { ROOT } from './root.mjs'

const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const read = (path: string) => JSON.parse(textOf(path))
const lockfile = {
  packages: {
    '': { devDependencies: { tests: '1' } },
    contract: { dependencies: { shared: '1' } },
    server: { dependencies: { database: '1' } },
    web: { devDependencies: { builder: '1' } },
    'node_modules/shared': { integrity: 's' },
    'node_modules/database': { integrity: 'd' },
    'node_modules/parser': { integrity: 'p' },
    'node_modules/of-another-platform': { integrity: 'o', optional: true },
    'web/node_modules/builder': { integrity: 'b', dev: true },
    'node_modules/tests': { integrity: 't', dev: true },
  },
}
/** npm's record of an installation that differs in these entries. */
const installed = (changes: Record<string, { integrity: string } | undefined> = {}) => {
  const { '': _root, 'node_modules/of-another-platform': _other, ...packages } = lockfile.packages
  return JSON.parse(JSON.stringify({ packages: { ...packages, ...changes } }))
}

test.each([
  ['everything', {}, 'all'],
  ['everything but tests', { 'node_modules/tests': undefined }, 'product'],
  ['no package of the product', { 'node_modules/parser': undefined }, undefined],
  ['no tool of the web app', { 'web/node_modules/builder': undefined }, undefined],
  ['another version', { 'node_modules/parser': { integrity: 'q' } }, undefined],
  ['a package that was removed', { 'node_modules/old': { integrity: 'x' } }, undefined],
])('an installation with %s has its extent', (_, changes, extent) => {
  expect(extentOf(lockfile, installed(changes))).toBe(extent)
})

test("npm's own record shows that these tests are installed", () => {
  expect(extentOf(read('package-lock.json'), read('node_modules/.package-lock.json'))).toBe('all')
})

/** The first major release of Node that has a function of one of its modules, by its types. */
const firstNodeWith = (module: string, name: string) => {
  const types = textOf(`node_modules/@types/node/${module.replace('node:', '')}.d.ts`)
  const at = types.search(new RegExp(`(function |const |class |^ +)${name}\\b`, 'm'))
  const before = types.slice(0, Math.max(at, 0))
  // Types say nothing of a function that was always there.
  const since = /@since v([^\n]*)/.exec(before.slice(before.lastIndexOf('/**')))?.[1] ?? '0'
  return Math.min(...since.split(', v').map((version) => Number.parseInt(version, 10)))
}

test('programs of a fresh clone load on the oldest Node', () => {
  const oldest = Number(/\d+/.exec(read('package.json').engines.node)?.[0])
  const programs = readdirSync(join(ROOT, 'ops'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.mjs'))
    .map((path) => ({ path, text: textOf(`ops/${path}`) }))
  const taken = programs.flatMap(({ path, text }) =>
    [...text.matchAll(/^import \{([^}]*)\} from '(node:[^']+)'/gm)].flatMap(
      ([, names = '', from = '']) =>
        names
          .split(',')
          .map((each) => each.trim().split(' as ')[0] ?? '')
          .filter((name) => name !== '')
          .map((name) => ({ path, name, from })),
    ),
  )
  expect(taken.length).toBeGreaterThan(30)
  expect(taken.filter(({ name, from }) => !(firstNodeWith(from, name) <= oldest))).toEqual([])
  // Before the installation there is no package, and Node 20 reads no TypeScript.
  expect(
    programs.flatMap(({ path, text }) =>
      [...text.matchAll(/^import [^;]*? from '([^']+)'/gm)]
        .map(([, from = '']) => from)
        .filter((from) => !/^node:|^\..*\.mjs$/.test(from))
        .map((from) => ({ path, from })),
    ),
  ).toEqual([])
})

test.skipIf(process.platform === 'win32')('an installation that fails once is tried again', () => {
  const root = mkdtempSync(join(tmpdir(), 'install-'))
  for (const folder of ['ops', 'server', 'bin']) mkdirSync(join(root, folder))
  for (const program of ['install.mjs', 'steps.mjs', 'root.mjs'])
    cpSync(join(ROOT, 'ops', program), join(root, 'ops', program))
  const write = (path: string, text: string) =>
    writeFileSync(join(root, path), text, { mode: 0o755 })
  write('package-lock.json', JSON.stringify({ packages: { contract: {}, server: {}, web: {} } }))
  const locked = { 'node-here': process.version.slice(1) }
  write('server/package.json', JSON.stringify({ optionalDependencies: locked }))
  write(
    'bin/npm',
    `#!/bin/sh
echo "$1" >> calls
test "$(wc -l < calls)" = 2 || { echo ECONNRESET >&2; exit 1; }
mkdir -p node_modules/.bin && ln -s '${process.execPath}' node_modules/.bin/node
`,
  )
  const installed = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', `(await import('${root}/ops/install.mjs')).install()`],
    { env: { PATH: `${join(root, 'bin')}${delimiter}${process.env.PATH}` }, encoding: 'utf8' },
  )
  expect({ ...installed }).toMatchObject({ status: 0, stderr: '' })
  expect(readFileSync(join(root, 'calls'), 'utf8')).toBe('ci\nci\n')
})
