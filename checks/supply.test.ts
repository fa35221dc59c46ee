import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readAudit } from './advisories.ts'
import { licencesText } from './licences.ts'
import { findFaults, type Lockfile, lockedPackages, notAsLocked } from './repository.ts'
import { ROOT } from './sources.ts'

const lockfile = () =>
  JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Record<string, unknown>>
  }
const installed = () =>
  JSON.parse(readFileSync(join(ROOT, 'node_modules/.package-lock.json'), 'utf8')) as Lockfile
const faultsOf = (changed: object) =>
  findFaults({ path: 'package-lock.json', text: JSON.stringify(changed) }).join('\n')
const PACKAGE = 'node_modules/fastify'

test('the lockfile has no fault and matches the installation', () => {
  expect(faultsOf(lockfile())).toBe('')
  expect(notAsLocked(lockfile() as unknown as Lockfile, installed())).toEqual([])
})

test('a changed hash of an installed package is found', () => {
  const changed = lockfile()
  changed.packages[PACKAGE] = {
    ...changed.packages[PACKAGE],
    integrity: `sha512-${Buffer.alloc(64).toString('base64')}`,
  }
  expect(notAsLocked(changed as unknown as Lockfile, installed()).join()).toMatch(
    /fastify differs from package-lock.json/,
  )
})

test.each([
  ['an install script', { hasInstallScript: true }, /fastify has an install script/],
  ['no hash', { integrity: undefined }, /fastify has no SHA-512 hash/],
  ['a weak hash', { integrity: 'sha1-x' }, /fastify has no SHA-512 hash/],
  ['another licence', { license: 'SSPL-1.0' }, /fastify has the licence SSPL-1.0/],
])('a package with %s is found', (_, change, sentence) => {
  const changed = lockfile()
  changed.packages[PACKAGE] = { ...changed.packages[PACKAGE], ...change }
  expect(faultsOf(changed)).toMatch(sentence)
})

test('the running Node is locked by hash without scripts', () => {
  const runtime = lockedPackages(installed()).filter(({ name }) =>
    /^node-(bin-)?(darwin|linux|win)-/.test(name),
  )
  expect(runtime.map(({ version, hasInstallScript }) => [version, hasInstallScript])).toEqual([
    [process.versions.node, undefined],
  ])
  const { optionalDependencies = {} } = lockfile().packages.server as {
    optionalDependencies?: Record<string, string>
  }
  for (const [name, version] of Object.entries(optionalDependencies))
    expect(lockfile().packages[`node_modules/${name}`]).toMatchObject({
      version,
      integrity: expect.stringMatching(/^sha512-/),
    })
  expect(Object.keys(optionalDependencies)).toContain(runtime[0]?.name)
})

test.each(['ignore-scripts=true', 'min-release-age=7'])(
  'an .npmrc without %s is found',
  (setting) => {
    const text = readFileSync(join(ROOT, '.npmrc'), 'utf8')
    const faultsIn = (changed: string) => findFaults({ path: '.npmrc', text: changed })
    expect(faultsIn(text)).toEqual([])
    expect(faultsIn(text.replace(setting, ''))).toEqual([`.npmrc lacks ${setting}`])
  },
)

test('the licences name shipped packages and count the others', () => {
  const text = licencesText({
    packages: {
      '': {},
      'node_modules/b': { version: '2.0.0', license: 'MIT' },
      'node_modules/b/node_modules/@x/a': { version: '1.0.0', license: 'ISC' },
      'node_modules/t': { version: '3.0.0', license: 'MIT', dev: true },
    },
  })
  expect(text).toContain('| @x/a | 1.0.0 | ISC |\n| b | 2.0.0 | MIT |\n')
  expect(text).toContain('To build and test only:\n\n- MIT: 1\n')
  expect(text).not.toContain('| t |')
})

test.each([
  ['nothing', '', { known: false }],
  [
    'an error of the registry',
    '{"message":"405 Method Not Allowed","statusCode":405}',
    { known: false },
  ],
  ['a report without findings', '{"vulnerabilities":{},"metadata":{}}', { known: true, found: [] }],
  [
    'a grave one among others',
    '{"vulnerabilities":{"a":{"severity":"critical","range":"<1"},"b":{"severity":"low","range":"*"}},"metadata":{}}',
    { known: true, found: ['a <1 has a known advisory of critical severity'] },
  ],
])('an audit with %s gets its verdict', (_, text, verdict) => {
  expect(readAudit(text)).toEqual(verdict)
})
