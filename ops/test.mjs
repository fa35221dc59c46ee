// Runs `npm test`: installs, builds, then runs every check and test. The last line counts them.
// `all` leaves out no suite whose part is unchanged, and `quick` runs what every change should.
import { join } from 'node:path'
import { buildWeb } from './build.mjs'
import { ensureChromium } from './chromium.mjs'
import { install } from './install.mjs'
import { stopWithParent } from './parent.mjs'
import { ensurePlayNodes } from './playNodes.mjs'
import { ROOT } from './root.mjs'
import { endingLines, judgeFlaky } from './tests/flaky.mjs'
import { openGuard } from './tests/guarded.mjs'
import { browserTestsIn, counted, timesOf, unitTestsIn } from './tests/reports.mjs'
import { openScratch, remove, runStep } from './tests/scratch.mjs'

stopWithParent()
const [extent] = process.argv.slice(2)
const isQuick = extent === 'quick'
await install()
const { checks } = await import('./checks.mjs')

const chromium = ensureChromium()
ensurePlayNodes('the tests of Bitcoin nodes are left out')
await buildWeb()
const scratch = openScratch()
const guard = openGuard()
const leftOut = extent === 'all' ? [] : guard.leftOut

/** A suite is its tests and the success of its step. */
const runChecks = async () => {
  const tests = []
  for (const { title, options } of checks) {
    const succeeded = await runStep(scratch, title, options)
    tests.push({ file: 'npm run check', name: title, status: succeeded ? 'passed' : 'failed' })
  }
  return { succeeded: true, tests }
}

const unitTests = async () => {
  const report = join(scratch.directory, 'unit.json')
  const excluded = leftOut.flatMap(({ tests, isBrowser }) => (isBrowser ? [] : tests))
  const succeeded = await runStep(scratch, isQuick ? 'Pure tests' : 'Tests on a real PostgreSQL', [
    join(ROOT, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...(isQuick ? ['--project=pure'] : excluded.map((file) => `--exclude=${file}`)),
  ])
  return { succeeded, tests: unitTestsIn(report) }
}

const browserTests = async () => {
  const report = join(scratch.directory, 'e2e.json')
  const more = {
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    ...(chromium && { CHROMIUM_PATH: chromium }),
  }
  const succeeded = await runStep(
    scratch,
    'Tests in Chromium',
    [
      join(ROOT, 'node_modules/@playwright/test/cli.js'),
      'test',
      '--reporter=dot,json',
      ...(isQuick
        ? ['e2e/conformance/', 'e2e/story.spec.ts']
        : leftOut.flatMap(({ isBrowser }) => (isBrowser ? ['--project=screens'] : []))),
    ],
    more,
  )
  return { succeeded, tests: judgeFlaky(browserTestsIn(report)) }
}

// Server tests wait as much as they compute, so checks run beside them. The browser runs alone.
console.log('Checks and tests run. Each prints its output when it ends.')
const [ofChecks, ofServer] = await Promise.all([runChecks(), unitTests()])
const ofBrowser = await browserTests()
remove(scratch)

const timed = [...ofServer.tests, ...ofBrowser.tests]
guard.remember(timed)
console.log(['', timesOf(timed), '', ...endingLines([...ofChecks.tests, ...timed])].join('\n'))
if (!isQuick)
  for (const { name, tests } of leftOut)
    console.log(
      `${name}: its part is unchanged, so its ${tests.length} files of tests did not run. npm test -- all runs them.`,
    )
const results = [ofChecks, ofServer, ofBrowser].map(counted)
const total = (outcome) => results.reduce((sum, result) => sum + result[outcome], 0)
console.log(`\n${total('passed')} passed, ${total('failed')} failed`)
process.exit(total('failed') === 0 ? 0 : 1)
