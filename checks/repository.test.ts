import { expect, test } from 'vitest'
import { findFaults } from './repository.ts'

test.each([
  ['a file that is too long', { path: 'server/x.ts', text: 'a\n'.repeat(401) }, /402 lines/],
  [
    'a lockfile with addresses',
    {
      path: 'package-lock.json',
      text: '{ "packages": { "node_modules/x": { "resolved": "https://packages.example/x.tgz" } } }',
    },
    /downloaded from/,
  ],
  [
    'a lockfile of one platform only',
    {
      path: 'package-lock.json',
      text: '{ "packages": { "node_modules/x": { "optionalDependencies": { "x-win32": "1.0.0" } } } }',
    },
    /lacks x-win32/,
  ],
  [
    'a new script that runs at install',
    {
      path: 'package-lock.json',
      text: '{ "packages": { "node_modules/x": { "license": "MIT", "hasInstallScript": true } } }',
    },
    /x wants to run a script at install/,
  ],
  [
    'a licence that nobody agreed to',
    {
      path: 'package-lock.json',
      text: '{ "packages": { "node_modules/y/node_modules/@a/x": { "license": "GPL-3.0" } } }',
    },
    /@a\/x has the licence GPL-3.0/,
  ],
  [
    'something left for later',
    { path: 'server/x.ts', text: `// ${'TO'}DO: write this` },
    /for later/,
  ],
])('%s is found', (_, file, sentence) => {
  expect(findFaults(file).join()).toMatch(sentence)
})
