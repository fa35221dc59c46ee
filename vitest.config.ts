import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { plantMutant } from './checks/mutations/plant.ts'
import { compileMessages } from './web/compileMessages.ts'

/** Starts `faults/` first: half of a run's longest files are there, and they mostly wait. */
class FaultsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const rank = ({ moduleId }: TestSpecification) => (moduleId.includes('/faults/') ? 0 : 1)
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}

const FOLDERS = '{contract,server,web,checks,ops,faults,bench,sandbox}'
const files = globSync(`${FOLDERS}/**/*.test.{ts,tsx}`, {
  cwd: import.meta.dirname,
  exclude: (path) => path.endsWith('node_modules'),
}).map((path) => path.replaceAll('\\', '/'))

const PROCESSES =
  /\/testing\/(process|standby|pgbouncer|anvil|litecoind)\.ts|node:child_process|preparedData/
// Passwords are hashed by processes of idle priority, which a busy machine delays.
const HASHES =
  /\{[^}]*\b(login|register)\b[^}]*\} from '@pool\/contract\/accounts\/users'|contract\/base\/endpoints'/
const REPLACES = /\bvi\.(mock|spyOn|stubGlobal|useFakeTimers)\(/
/** Ends processes or connections, which the next file of a worker would miss. */
const ENDS = /\b(process\.kill|pg_terminate_backend)\(/
const POSTGRES = /\/testing\/(product|database|bothModes|contents)\.ts|inject\('postgres'\)/

/**
 * The project of a file, by its text. Files of `pure`, `in process` and `beside processes` share
 * their modules, which saves each two seconds of a processor. One that replaces a part does not.
 */
const projectOf = (file: string) => {
  const text = readFileSync(join(import.meta.dirname, file), 'utf8')
  const isInProcess = POSTGRES.test(text)
  const replaces = REPLACES.test(text)
  if (/^(faults|ops)\//.test(file)) return 'processes'
  if (PROCESSES.test(text) || (isInProcess && HASHES.test(text)))
    return isInProcess && !replaces && !ENDS.test(text) ? 'beside processes' : 'processes'
  if (replaces) return 'isolated'
  return isInProcess ? 'in process' : 'pure'
}

const project = (name: string, options: object) => ({
  extends: true as const,
  test: { name, include: files.filter((file) => projectOf(file) === name), ...options },
})
const onPostgres = { globalSetup: ['server/testing/postgres.ts'] }
/** All tests without a browser. The server runs on a real PostgreSQL. */
export default defineConfig({
  plugins: [compileMessages('en'), plantMutant()],
  test: {
    projects: [
      project('pure', { isolate: false }),
      project('in process', { isolate: false, ...onPostgres }),
      project('beside processes', { isolate: false, ...onPostgres }),
      project('isolated', { ...onPostgres }),
      project('processes', { ...onPostgres }),
    ],
    setupFiles: ['server/testing/properties.ts', 'server/testing/record.ts'],
    // Files of faults wait more than they compute, so two more run than there are cores.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: FaultsFirst },
    // A second is too short for what a busy machine delays.
    expect: { poll: { timeout: 60_000 } },
    // Ends a test that hangs. A busy machine takes many times as long as a quiet one.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // The tests start the product some hundred times and compile it once.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled') },
  },
})
