import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { compileMessages } from './web/compileMessages.ts'

/** Everything but the browser: the contract, the server on a real PostgreSQL, the web app's own logic, the checks of the repository. */
export default defineConfig({
  plugins: [compileMessages('en')],
  test: {
    include: ['{contract,server,web,checks,ops,faults,bench}/**/*.test.{ts,tsx}'],
    globalSetup: ['server/testing/postgres.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // One for each core; the default leaves one idle, and the database needs little.
    maxWorkers: availableParallelism(),
  },
})
