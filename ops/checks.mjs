// The steps of `npm run check`, in the order in which they are quickest to fail. Each runs on the
// product's Node.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { environment, NODE, ROOT } from './install.mjs'

const tool = (path) => join(ROOT, 'node_modules', path)

export const checks = [
  {
    title: 'Format and lint',
    options: [tool('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings'],
  },
  {
    title: 'Types of contract and server',
    options: [tool('typescript/bin/tsc'), '-p', 'tsconfig.json'],
  },
  {
    title: 'Types of the browser tests',
    options: [tool('typescript/bin/tsc'), '-p', 'e2e/tsconfig.json'],
  },
  {
    title: 'Types of routes in the web app',
    options: [tool('@react-router/dev/bin.cjs'), 'typegen', 'web'],
  },
  {
    title: 'Types of the web app',
    options: [tool('typescript/bin/tsc'), '-p', 'web/tsconfig.json'],
  },
  { title: 'Dead code', options: [tool('knip/bin/knip.js')] },
  { title: 'Boundaries', options: [join(ROOT, 'checks/boundaries.ts')] },
  { title: 'Sizes and lockfile', options: [join(ROOT, 'checks/repository.ts')] },
  { title: 'Paths in prose', options: [join(ROOT, 'checks/paths.ts')] },
  { title: 'Licences', options: [join(ROOT, 'checks/licences.ts')] },
  { title: 'Known advisories', options: [join(ROOT, 'checks/advisories.ts')] },
]

if (process.argv[1] === import.meta.filename) {
  const failed = checks.filter(({ title, options }) => {
    console.log(`── ${title}`)
    return (
      spawnSync(NODE, options, { cwd: ROOT, stdio: 'inherit', env: environment() }).status !== 0
    )
  })
  for (const { title } of failed) console.error(`✗ ${title}`)
  process.exit(failed.length === 0 ? 0 : 1)
}
