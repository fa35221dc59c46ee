import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { digestOf } from '../build.mjs'
import { ROOT } from '../root.mjs'

const testsIn = (folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => /\.(test|spec)\.ts$/.test(name))
    .map((name) => `${folder}/${name}`)

/** Suites that run when a file changed that they guard, other than a test. */
const SUITES = [
  {
    name: 'Upgrades',
    tests: ['server/base/db/upgrade.test.ts', 'server/base/db/sideBySide.test.ts'],
    guards: ['server', 'contract'],
  },
  {
    name: 'The cluster',
    tests: ['faults/cluster/cluster.test.ts'],
    guards: ['server', 'contract', 'faults', 'ops/cluster'],
  },
  {
    name: 'The container',
    tests: ['ops/container/image.test.ts'],
    guards: ['server', 'contract', 'ops', 'package.json', '.npmrc'],
  },
  {
    name: 'Faults',
    tests: testsIn('faults'),
    guards: ['server', 'contract', 'faults'],
  },
  {
    name: 'The web app, answered by its tests',
    tests: testsIn('e2e/conformance'),
    guards: ['web', 'contract', 'e2e', 'playwright.config.ts'],
    isBrowser: true,
  },
]

const RECORD = join(ROOT, 'node_modules', '.cache', 'guarded.json')

const read = (record) => {
  try {
    return JSON.parse(readFileSync(record, 'utf8'))
  } catch {
    return {}
  }
}

/**
 * The guarded suites of one run. `leftOut` are those whose part is as it was when they last passed
 * on this machine, and `remember` records those that passed now.
 */
export const openGuard = ({ suites = SUITES, record = RECORD } = {}) => {
  const passed = read(record)
  const known = suites.map((suite) => ({
    ...suite,
    digest: digestOf(['package-lock.json', ...suite.tests, ...suite.guards]),
  }))
  return {
    leftOut: known.filter(({ name, digest }) => passed[name] === digest),
    remember: (tests) => {
      for (const { name, digest, tests: files } of known) {
        const own = tests.filter(({ file }) => files.includes(file))
        const has = (wanted) => own.some(({ status }) => status === wanted)
        if (has('passed') && !has('failed')) passed[name] = digest
      }
      mkdirSync(dirname(record), { recursive: true })
      writeFileSync(record, JSON.stringify(passed))
    },
  }
}
