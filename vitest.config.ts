import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { compileMessages } from './web/compileMessages.ts'

/** Starts `faults/` first: half of a run's longest files are there, and they mostly wait. */
class FaultsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const rank = ({ moduleId }: TestSpecification) => (moduleId.includes('/faults/') ? 0 : 1)
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}

/** All tests without a browser. The server runs on a real PostgreSQL. */
export default defineConfig({
  plugins: [compileMessages('en')],
  test: {
    include: ['{contract,server,web,checks,ops,faults,bench}/**/*.test.{ts,tsx}'],
    globalSetup: ['server/testing/postgres.ts'],
    // Ends a test that hangs. A busy machine takes many times as long as a quiet one.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // Files of faults wait more than they compute, so two more run than there are cores.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: FaultsFirst },
    // The tests start the product some hundred times and compile it once.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled') },
  },
})
