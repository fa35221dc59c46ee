// `npm test`: installs what is missing, then runs every check and every test. The last line counts them.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildWeb } from './build.mjs'
import { ensureChromium } from './chromium.mjs'
import { environment, install, NODE, ROOT } from './install.mjs'

install()
const { checks } = await import('./checks.mjs')
const reports = mkdtempSync(join(tmpdir(), 'pool-reports-'))

/** Carries out one step. What is said by one that is `kept` comes with the result, for later; otherwise it is seen as it comes. */
const carryOut = (options, { more = {}, kept = false } = {}) =>
  new Promise((resolve) => {
    const output = kept ? 'pipe' : 'inherit'
    const step = spawn(NODE, options, { cwd: ROOT, stdio: ['ignore', output, output], env: environment(more) })
    const said = []
    for (const stream of [step.stdout, step.stderr]) stream?.on('data', (part) => said.push(part))
    step.once('close', (code) => resolve({ succeeded: code === 0, said: Buffer.concat(said) }))
  })

const announce = (title) => console.log(`\n── ${title}`)

const readReport = (file) => {
  try {
    return JSON.parse(readFileSync(join(reports, file), 'utf8'))
  } catch {
    return undefined
  }
}

/** A suite that ends badly counts as at least one failure, whatever its report says or when it wrote none. */
const counted = (succeeded, { passed, failed } = { passed: 0, failed: 0 }) => ({ passed, failed: succeeded ? failed : Math.max(failed, 1) })

const unitTests = async () => {
  const options = ['run', '--reporter=dot', '--reporter=json', `--outputFile.json=${join(reports, 'unit.json')}`]
  announce('Tests on a real PostgreSQL')
  const { succeeded } = await carryOut([join(ROOT, 'node_modules/vitest/vitest.mjs'), ...options])
  const report = readReport('unit.json')
  return counted(succeeded, report && { passed: report.numPassedTests, failed: report.numFailedTests })
}

const browserTests = async (chromium) => {
  const more = { PLAYWRIGHT_JSON_OUTPUT_FILE: join(reports, 'e2e.json'), ...(chromium && { CHROMIUM_PATH: chromium }) }
  announce('Tests in Chromium')
  const { succeeded } = await carryOut([join(ROOT, 'node_modules/@playwright/test/cli.js'), 'test', '--reporter=line,json'], { more })
  const stats = readReport('e2e.json')?.stats
  return counted(succeeded, stats && { passed: stats.expected + stats.flaky, failed: stats.unexpected })
}

/** One after the other; beside the tests, which wait for much, they cost hardly any time. */
const carryOutChecks = async () => {
  const done = []
  for (const { title, options } of checks) done.push({ title, ...(await carryOut(options, { kept: true })) })
  return done
}

buildWeb()
const [checked, units] = await Promise.all([carryOutChecks(), unitTests()])
for (const { title, said } of checked) {
  announce(title)
  process.stdout.write(said)
}
const results = checked.map(({ succeeded }) => counted(succeeded, { passed: Number(succeeded), failed: 0 }))
results.push(units, await browserTests(ensureChromium()))
rmSync(reports, { recursive: true, force: true })

const total = (outcome) => results.reduce((sum, result) => sum + result[outcome], 0)
console.log(`\n${total('passed')} passed, ${total('failed')} failed`)
process.exit(total('failed') === 0 ? 0 : 1)
