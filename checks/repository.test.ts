import { expect, test } from 'vitest'
import { findFaults } from './repository.ts'

test.each([
  [
    'a lockfile with URLs',
    {
      path: 'package-lock.json',
      text: '{ "packages": { "node_modules/x": { "resolved": "https://packages.example/x.tgz" } } }',
    },
    /names a registry/,
  ],
  [
    'a lockfile of one platform',
    {
      path: 'package-lock.json',
      text: '{ "packages": { "node_modules/x": { "optionalDependencies": { "x-win32": "1.0.0" } } } }',
    },
    /lacks x-win32/,
  ],
  [
    'a new install script',
    {
      path: 'package-lock.json',
      text: '{ "packages": { "node_modules/x": { "license": "MIT", "hasInstallScript": true } } }',
    },
    /x has an install script/,
  ],
  [
    'an unlisted licence',
    {
      path: 'package-lock.json',
      text: '{ "packages": { "node_modules/y/node_modules/@a/x": { "license": "GPL-3.0" } } }',
    },
    /@a\/x has the licence GPL-3.0/,
  ],
  [
    'a wide comment of one line',
    { path: 'server/x.ts', text: `/** ${'x'.repeat(95)} */` },
    /x.ts:1 is 102 columns wide/,
  ],
  ['a mark for later work', { path: 'server/x.ts', text: `// ${'TO'}DO: write this` }, /for later/],
])('%s is a fault of the repository', (_, file, sentence) => {
  expect(findFaults(file).join()).toMatch(sentence)
})
