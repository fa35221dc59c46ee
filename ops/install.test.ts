import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { extentOf } from './install.mjs'
import { ROOT } from './root.mjs'

const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'))
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
