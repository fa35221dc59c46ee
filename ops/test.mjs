// `npm test`: installs what is missing, builds, then runs every check and every test. The last line
// counts them.
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
import { environment, install, NODE, ROOT } from './install.mjs'

install()
const { checks } = await import('./checks.mjs')

const MEMORY = '/dev/shm'
const ENOUGH = 4 * 1024 ** 3
/**
 * Whether there are 4 GiB of memory to be used as a disk: a real one takes its time to make and
 * delete the thousands of files of the tests' databases.
 */
const hasMemory = () => {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= ENOUGH
  } catch {
    return false
  }
}

/**
 * Where the tests put their databases, the browsers their profiles and each step its report;
 * nothing of it outlives the tests.
 */
const scratch = mkdtempSync(join(hasMemory() ? MEMORY : tmpdir(), 'pool-'))
// PostgreSQL is another user when root runs the tests.
chmodSync(scratch, 0o755)

/**
 * Carries out one step beside the others; what it says is shown together when it ends. Resolves
 * with whether it succeeded. It writes to a file: a pipe would stay open for as long as anything
 * lives that it left behind.
 */
const carryOut = (title, options, more = {}) =>
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

/**
 * A suite that ends badly counts as at least one failure, whatever its report says or when it wrote
 * none.
 */
const counted = (succeeded, { passed, failed } = { passed: 0, failed: 0 }) => ({
  passed,
  failed: succeeded ? failed : Math.max(failed, 1),
})

const carryOutChecks = async () => {
  const results = []
  for (const { title, options } of checks) {
    const succeeded = await carryOut(title, options)
    results.push(counted(succeeded, { passed: Number(succeeded), failed: 0 }))
  }
  return results
}

const unitTests = async () => {
  const succeeded = await carryOut('Tests on a real PostgreSQL', [
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
  const succeeded = await carryOut(
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

buildWeb()
// The tests of the server wait for processes and locks as much as they work, so the checks cost no
// time beside them. The browser takes all there is.
console.log('Checks and tests; each shows when it is done.')
const results = (await Promise.all([carryOutChecks(), unitTests()])).flat()
results.push(await browserTests(ensureChromium()))
try {
  rmSync(scratch, { recursive: true, force: true })
} catch (error) {
  console.error(`Something of the tests is left in ${scratch}: ${error.message}`)
}

const total = (outcome) => results.reduce((sum, result) => sum + result[outcome], 0)
console.log(`\n${total('passed')} passed, ${total('failed')} failed`)
process.exit(total('failed') === 0 ? 0 : 1)
