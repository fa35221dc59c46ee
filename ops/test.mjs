// Runs `npm test`: installs, builds, then runs every check and the first tier of tests. `all` runs
// the second tier after it. The last line counts them.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { buildWeb } from './build.mjs'
import { ensureChromium } from './chromium.mjs'
import { install } from './install.mjs'
import { stopWithParent } from './parent.mjs'
import { ensurePlayNodes } from './playNodes.mjs'
import { ROOT } from './root.mjs'
import { overBudget } from './tests/budgets.mjs'
import { keepRecords, recordsIn } from './tests/records.mjs'
import { browserTestsIn, counted, endingLines, timesOf, unitTestsIn } from './tests/reports.mjs'
import { openScratch, remove, runStep } from './tests/scratch.mjs'
import { isSecond } from './tests/tiers.mjs'

stopWithParent()
const isAll = process.argv[2] === 'all'
await install()
const { checks } = await import('./checks.mjs')

const chromium = ensureChromium()
ensurePlayNodes('the tests of Bitcoin nodes are left out')
await buildWeb()
const scratch = openScratch()
const recorded = join(scratch.directory, 'records')

const runChecks = async () => {
  const tests = []
  for (const { title, options } of checks) {
    const succeeded = await runStep(scratch, title, options)
    tests.push({ file: 'npm run check', name: title, status: succeeded ? 'passed' : 'failed' })
  }
  return { succeeded: true, tests }
}

/** Files of some folders whose names end so. A fresh clone may run this on Node 20: no globSync. */
const filesOf = (folders, ending, isWanted) =>
  folders
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true }).map((path) =>
        `${folder}/${path}`.replaceAll('\\', '/'),
      ),
    )
    .filter((path) => ending.test(path) && isWanted(path))

const UNIT = ['contract', 'server', 'web', 'checks', 'ops', 'faults', 'bench', 'sandbox']

const unitTests = async (title, isWanted) => {
  const report = join(scratch.directory, `${title}.json`)
  const left = filesOf(UNIT, /\.test\.tsx?$/, (file) => !isWanted(file))
  const succeeded = await runStep(
    scratch,
    title,
    [
      join(ROOT, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--reporter=dot',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...left.map((file) => `--exclude=${file}`),
    ],
    isAll ? { TESTS_RECORDED_IN: recorded } : {},
  )
  return { succeeded, tests: unitTestsIn(report) }
}

const browserTests = async (title, isWanted) => {
  const report = join(scratch.directory, `${title}.json`)
  const succeeded = await runStep(
    scratch,
    title,
    [
      join(ROOT, 'node_modules/@playwright/test/cli.js'),
      'test',
      '--reporter=dot,json',
      ...filesOf(['e2e'], /\.spec\.ts$/, isWanted),
    ],
    {
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
      ...(chromium && { CHROMIUM_PATH: chromium }),
      ...(isAll && { TESTS_RECORDED_IN: recorded }),
    },
  )
  return { succeeded, tests: browserTestsIn(report, isAll) }
}

const isFirst = (file) => !isSecond(file)
// Server tests wait as much as they compute, so checks run beside them. The browser runs alone.
console.log('Checks and tests run. Each prints its output when it ends.')
const results = await Promise.all([runChecks(), unitTests('Tests on a real PostgreSQL', isFirst)])
results.push(await browserTests('Tests in Chromium', isFirst))
if (isAll) {
  results.push(await unitTests('Second tier on a real PostgreSQL', isSecond))
  results.push(await browserTests('Second tier in Chromium', isSecond))
}
const tests = results.flatMap((result) => result.tests)
const timed = tests.filter(({ seconds }) => seconds !== undefined)
if (isAll) {
  const records = recordsIn(recorded)
  const over = overBudget(records)
  results.push({ succeeded: true, tests: over })
  tests.push(...over)
  const { stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' })
  if (stdout) keepRecords(records, timed, stdout.trim())
}
remove(scratch)

console.log(['', timesOf(timed), '', ...endingLines(tests)].join('\n'))
const counts = results.map(counted)
const total = (outcome) => counts.reduce((sum, result) => sum + result[outcome], 0)
console.log(`\n${total('passed')} passed, ${total('failed')} failed`)
process.exit(total('failed') === 0 ? 0 : 1)
