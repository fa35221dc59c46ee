import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { compileMessages } from './web/compileMessages.ts'

/**
 * What takes longest, because it waits for much, begins first: nothing of it is left when the
 * others are done.
 */
const LONGEST = [
  'faults/kills.test.ts',
  'server/main.test.ts',
  'faults/shortages.test.ts',
  'faults/worsened.test.ts',
  'server/backup/backup.test.ts',
  'faults/backups.test.ts',
  'faults/databaseClock.test.ts',
  'faults/surroundings.test.ts',
  'faults/invalid.test.ts',
  'server/transactions/approvals.property.test.ts',
  'server/process/stopping.test.ts',
  'server/credentials/throttle.test.ts',
  'server/changes/changes.test.ts',
  'server/changes/streams.test.ts',
  'server/process/workers.test.ts',
  'server/postgres/embedded.test.ts',
  'server/http/matrix.test.ts',
  'server/audit/check.test.ts',
  'server/http/readiness.test.ts',
]
const rank = ({ moduleId }: TestSpecification): number => {
  const found = LONGEST.findIndex((name) => moduleId.endsWith(name))
  return found < 0 ? LONGEST.length : found
}
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}

/**
 * Everything but the browser: the contract, the server on a real PostgreSQL, the web app's own
 * logic, the checks of the repository.
 */
export default defineConfig({
  plugins: [compileMessages('en')],
  test: {
    include: ['{contract,server,web,checks,ops,faults,bench}/**/*.test.{ts,tsx}'],
    globalSetup: ['server/testing/postgres.ts'],
    // Ends a test that hangs. A busy machine takes many times as long as a quiet one.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // The files that come first wait for processes, locks and the disk more than they work, so
    // there are two more at once than there are cores.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    // The product is started a hundred times; it need be compiled once.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled') },
  },
})
