// Runs `npm run test:long`: the long forms of four suites, or those that are named.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { environment, install, NODE } from './install.mjs'
import { ROOT } from './root.mjs'

const SUITES = [
  {
    name: 'faults',
    variable: 'FAULTS',
    options: ['faults', '--exclude=faults/fuzz.test.ts', '--exclude=faults/cluster/**'],
  },
  { name: 'fuzz', variable: 'FUZZ', options: ['faults/fuzz.test.ts'] },
  { name: 'cluster', variable: 'CLUSTER', options: ['faults/cluster', '--no-file-parallelism'] },
  { name: 'container', variable: 'CONTAINER', options: ['ops/container'] },
]

// The first words name suites, and what follows goes to Vitest.
const words = process.argv.slice(2)
const firstOption = words.findIndex((word) => word.startsWith('-'))
const named = firstOption === -1 ? words : words.slice(0, firstOption)
const more = firstOption === -1 ? [] : words.slice(firstOption)
if (named.some((word) => !SUITES.some(({ name }) => name === word))) {
  console.error(`The suites are: ${SUITES.map(({ name }) => name).join(', ')}.`)
  process.exit(2)
}

await install()
const chosen = SUITES.filter(({ name }) => named.length === 0 || named.includes(name))
const failed = chosen.filter(({ name, variable, options }) => {
  console.log(`── ${name}`)
  const all = [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', ...options, ...more]
  const { status } = spawnSync(NODE, all, {
    cwd: ROOT,
    stdio: 'inherit',
    env: environment({ [variable]: 'full' }),
  })
  return status !== 0
})
for (const { name } of failed) console.error(`✗ ${name}`)
process.exit(failed.length === 0 ? 0 : 1)
