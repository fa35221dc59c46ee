// Runs the checks on the product's Node, the quickest to fail first: `npm run check`, or by name.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { environment, NODE } from './install.mjs'
import { ROOT } from './root.mjs'

const tool = (path) => join(ROOT, 'node_modules', path)
const own = (file) => join(ROOT, 'checks', file)

export const checks = [
  {
    name: 'format',
    title: 'Format and lint',
    options: [tool('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings'],
  },
  {
    name: 'types',
    title: 'Types of contract and server',
    options: [tool('typescript/bin/tsc'), '-p', 'tsconfig.json'],
  },
  {
    name: 'e2e-types',
    title: 'Types of the browser tests',
    options: [tool('typescript/bin/tsc'), '-p', 'e2e/tsconfig.json'],
  },
  {
    name: 'route-types',
    title: 'Types of routes in the web app',
    options: [tool('@react-router/dev/bin.cjs'), 'typegen', 'web'],
  },
  {
    name: 'web-types',
    title: 'Types of the web app',
    options: [tool('typescript/bin/tsc'), '-p', 'web/tsconfig.json'],
  },
  { name: 'dead-code', title: 'Dead code', options: [tool('knip/bin/knip.js')] },
  { name: 'boundaries', title: 'Boundaries', options: [own('boundaries.ts')] },
  { name: 'repository', title: 'Widths and lockfile', options: [own('repository.ts')] },
  { name: 'lengths', title: 'Lengths of functions', options: [own('lengths.ts')] },
  { name: 'spreads', title: 'Spreads of literals', options: [own('spreads.ts')] },
  { name: 'names', title: 'Names of types', options: [own('names.ts')] },
  { name: 'paths', title: 'Paths in prose', options: [own('paths.ts')] },
  { name: 'prose', title: 'Comments, test names and prose', options: [own('prose.ts')] },
  { name: 'licences', title: 'Licences', options: [own('licences.ts')] },
  { name: 'ages', title: 'Ages of locked versions', options: [own('ages.ts')] },
  { name: 'advisories', title: 'Known advisories', options: [own('advisories.ts')] },
]

/** The checks with these names, all without a name. Undefined when a name is unknown. */
export const checksNamed = (names) =>
  names.every((name) => checks.some((check) => check.name === name))
    ? checks.filter(({ name }) => names.length === 0 || names.includes(name))
    : undefined

if (process.argv[1] === import.meta.filename) {
  const chosen = checksNamed(process.argv.slice(2))
  if (chosen === undefined) {
    console.error(`The checks are: ${checks.map(({ name }) => name).join(', ')}.`)
    process.exit(1)
  }
  const failed = chosen.filter(({ title, options }) => {
    console.log(`── ${title}`)
    return (
      spawnSync(NODE, options, { cwd: ROOT, stdio: 'inherit', env: environment() }).status !== 0
    )
  })
  for (const { title } of failed) console.error(`✗ ${title}`)
  process.exit(failed.length === 0 ? 0 : 1)
}
