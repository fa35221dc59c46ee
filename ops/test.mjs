// Runs `npm test`: installs, builds, then runs every check and test. The last line counts them.
import { join } from 'node:path'
import { buildWeb } from './build.mjs'
import { ensureChromium } from './chromium.mjs'
import { install } from './install.mjs'
import { stopWithParent } from './parent.mjs'
import { ROOT } from './root.mjs'
import { flakyLines, judgeFlaky } from './tests/flaky.mjs'
import { browserTestsIn, counted, timesOf, unitTestsIn } from './tests/reports.mjs'
import { openScratch, remove, runStep } from './tests/scratch.mjs'

stopWithParent()
await install()
const { checks } = await import('./checks.mjs')

const chromium = ensureChromium()
await buildWeb()
const scratch = openScratch()

/** A suite is its tests and the success of its step. */
const runChecks = async () => {
  const tests = []
  for (const { title, options } of checks) {
    const succeeded = await runStep(scratch, title, options)
    tests.push({ status: succeeded ? 'passed' : 'failed' })
  }
  return { succeeded: true, tests }
}

const unitTests = async () => {
  const report = join(scratch.directory, 'unit.json')
  const succeeded = await runStep(scratch, 'Tests on a real PostgreSQL', [
    join(ROOT, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${report}`,
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
    [join(ROOT, 'node_modules/@playwright/test/cli.js'), 'test', '--reporter=dot,json'],
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
console.log(['', timesOf(timed), '', ...flakyLines(timed)].join('\n'))
const results = [ofChecks, ofServer, ofBrowser].map(counted)
const total = (outcome) => results.reduce((sum, result) => sum + result[outcome], 0)
console.log(`\n${total('passed')} passed, ${total('failed')} failed`)
process.exit(total('failed') === 0 ? 0 : 1)
