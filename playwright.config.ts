import { chmodSync, mkdtempSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { SUPER_ADMIN } from './e2e/people.ts'

const PORT = process.env.E2E_PORT ?? '3947'

// The workers read this file again and must find the directory of the first reading.
process.env.E2E_DIRECTORY ??= mkdtempSync(join(tmpdir(), 'pool-e2e-'))
chmodSync(process.env.E2E_DIRECTORY, 0o755)

// A run starts the product some thirty times and compiles it once.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled')

/**
 * The whole product, built and started as an operator would, on an empty database.
 * A day lasts an hour, so nothing matures unless a test lets it.
 */
const product = {
  DATA_DIR: join(process.env.E2E_DIRECTORY, 'data'),
  PORT,
  DAY_SECONDS: '3600',
  RATE_LIMITS: 'off',
  LOG_LEVEL: 'warn',
  // One super admin makes nearly all decisions here.
  SECOND_APPROVAL_ABOVE: '2500000',
  POOL_SECOND_APPROVAL_ABOVE: '1000000000',
  TERMS_URL: 'https://example.com/terms',
  FALLBACK_DEPOSIT_ADDRESS: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
  SUPER_ADMIN_EMAIL: SUPER_ADMIN.email,
  SUPER_ADMIN_PASSWORD: SUPER_ADMIN.password,
}
Object.assign(process.env, product)

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'e2e/results',
  globalSetup: './e2e/prepareRun.ts',
  globalTeardown: './e2e/removeData.ts',
  // Each waits as much as it computes, so one more runs than there are cores.
  workers: availableParallelism() + 1,
  fullyParallel: false,
  forbidOnly: true,
  // A second try on a machine too busy for a screen. The report names it.
  retries: 1,
  // End a test that hangs. With four busy loops beside it, the story took 56 s to sign in.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  use: {
    baseURL: `http://localhost:${PORT}`,
    // Recording costs more than the steps do: set TRACE=on to look into a failure.
    trace: process.env.TRACE === 'on' ? 'retain-on-failure' : 'off',
    screenshot: process.env.TRACE === 'on' ? 'only-on-failure' : 'off',
    launchOptions: {
      ...(process.env.CHROMIUM_PATH && { executablePath: process.env.CHROMIUM_PATH }),
      args: [
        '--disable-gpu',
        '--disable-software-rasterizer',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  projects: [
    // Playwright answers every call of these, so the pool has no row of theirs.
    {
      name: 'conformance',
      testMatch: 'e2e/conformance/*.spec.ts',
      fullyParallel: true,
      use: { reuseContext: true, contextOptions: { reducedMotion: 'reduce' } },
    },
    { name: 'screens', testIgnore: 'e2e/conformance/*.spec.ts', fullyParallel: true },
  ],
  webServer: {
    command: 'node server/main.ts',
    url: `http://localhost:${PORT}/api/v1/health/ready`,
    env: product,
    timeout: 120_000,
    stderr: 'pipe',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
  },
})
