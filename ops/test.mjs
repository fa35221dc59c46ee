// Runs `npm test`: installs, builds, then runs every check and test. The last line counts them.
import { spawn } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statfsSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildWeb } from './build.mjs'
import { ensureChromium } from './chromium.mjs'
import { environment, install, NODE } from './install.mjs'
import { ROOT } from './root.mjs'

await install()
const { checks } = await import('./checks.mjs')

const MEMORY = '/dev/shm'
const ENOUGH = 4 * 1024 ** 3
/** True with 4 GiB of memory disk. A real disk is slow at the thousands of database files. */
const hasMemory = () => {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= ENOUGH
  } catch {
    return false
  }
}

/** Holds the tests' databases, browser profiles and reports; deleted at the end. */
const scratch = mkdtempSync(join(hasMemory() ? MEMORY : tmpdir(), 'pool-'))
// Under root, PostgreSQL runs as another user.
chmodSync(scratch, 0o755)

/**
 * Runs one step beside the others, prints its output at its end and resolves with its success.
 * The output goes to a file, because a leftover child would keep a pipe open.
 */
const runStep = (title, options, more = {}) =>
  new Promise((resolve) => {
    const file = join(scratch, `${title}.txt`)
    const output = openSync(file, 'w')
    const step = spawn(NODE, options, {
      cwd: ROOT,
      stdio: ['ignore', output, output],
      env: environment({ TMPDIR: scratch, ...more }),
    })
    closeSync(output)
    step.once('exit', (code) => {
      console.log(`\n── ${title}`)
      process.stdout.write(readFileSync(file))
      resolve(code === 0)
    })
  })

const readReport = (file) => {
  try {
    return JSON.parse(readFileSync(join(scratch, file), 'utf8'))
  } catch {
    return undefined
  }
}

/** Counts at least one failure for a suite that failed, with any report or none. */
const counted = (succeeded, { passed, failed } = { passed: 0, failed: 0 }) => ({
  passed,
  failed: succeeded ? failed : Math.max(failed, 1),
})

const runChecks = async () => {
  const results = []
  for (const { title, options } of checks) {
    const succeeded = await runStep(title, options)
    results.push(counted(succeeded, { passed: Number(succeeded), failed: 0 }))
  }
  return results
}

const unitTests = async () => {
  const succeeded = await runStep('Tests on a real PostgreSQL', [
    join(ROOT, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${join(scratch, 'unit.json')}`,
  ])
  const report = readReport('unit.json')
  return counted(
    succeeded,
    report && { passed: report.numPassedTests, failed: report.numFailedTests },
  )
}

const browserTests = async (chromium) => {
  const more = {
    PLAYWRIGHT_JSON_OUTPUT_FILE: join(scratch, 'e2e.json'),
    ...(chromium && { CHROMIUM_PATH: chromium }),
  }
  const succeeded = await runStep(
    'Tests in Chromium',
    [join(ROOT, 'node_modules/@playwright/test/cli.js'), 'test', '--reporter=dot,json'],
    more,
  )
  const stats = readReport('e2e.json')?.stats
  return counted(
    succeeded,
    stats && { passed: stats.expected + stats.flaky, failed: stats.unexpected },
  )
}

await buildWeb()
// Server tests wait as much as they compute, so checks run beside them. The browser runs alone.
console.log('Checks and tests run. Each prints its output when it ends.')
const results = (await Promise.all([runChecks(), unitTests()])).flat()
results.push(await browserTests(ensureChromium()))
try {
  rmSync(scratch, { recursive: true, force: true })
} catch (error) {
  console.error(`Delete ${scratch} by hand: ${error.message}`)
}

const total = (outcome) => results.reduce((sum, result) => sum + result[outcome], 0)
console.log(`\n${total('passed')} passed, ${total('failed')} failed`)
process.exit(total('failed') === 0 ? 0 : 1)
