// `npm test`: installs what is missing, then runs every check and every test. The last line counts them.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildWeb } from './build.mjs'
import { ensureChromium } from './chromium.mjs'
import { environment, install, NODE, ROOT } from './install.mjs'

install()
const { checks } = await import('./checks.mjs')
const reports = mkdtempSync(join(tmpdir(), 'pool-reports-'))

const run = (title, options, more = {}) => {
  console.log(`\n── ${title}`)
  return spawnSync(NODE, options, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'], env: environment(more) }).status === 0
}

const readReport = (file) => {
  try {
    return JSON.parse(readFileSync(join(reports, file), 'utf8'))
  } catch {
    return undefined
  }
}

/** A suite that ends badly counts as at least one failure, whatever its report says or when it wrote none. */
const counted = (succeeded, { passed, failed } = { passed: 0, failed: 0 }) => ({ passed, failed: succeeded ? failed : Math.max(failed, 1) })

const unitTests = () => {
  const file = join(reports, 'unit.json')
  const succeeded = run('Tests on a real PostgreSQL', [
    join(ROOT, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ])
  const report = readReport('unit.json')
  return counted(succeeded, report && { passed: report.numPassedTests, failed: report.numFailedTests })
}

const browserTests = (chromium) => {
  const more = { PLAYWRIGHT_JSON_OUTPUT_FILE: join(reports, 'e2e.json'), ...(chromium && { CHROMIUM_PATH: chromium }) }
  const succeeded = run('Tests in Chromium', [join(ROOT, 'node_modules/@playwright/test/cli.js'), 'test', '--reporter=line,json'], more)
  const stats = readReport('e2e.json')?.stats
  return counted(succeeded, stats && { passed: stats.expected + stats.flaky, failed: stats.unexpected })
}

const results = checks.map(({ title, options }) => (run(title, options) ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }))
buildWeb()
results.push(unitTests(), browserTests(ensureChromium()))
rmSync(reports, { recursive: true, force: true })

const total = (outcome) => results.reduce((sum, result) => sum + result[outcome], 0)
console.log(`\n${total('passed')} passed, ${total('failed')} failed`)
process.exit(total('failed') === 0 ? 0 : 1)
