// Runs the checks on the product's Node, the quickest to fail first: `npm run check`, or by name.
// `npm run check -- changed` looks at what changed since the last commit.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { environment, NODE } from './install.mjs'
import { ROOT } from './root.mjs'

const tool = (path) => join(ROOT, 'node_modules', path)
const own = (file) => join(ROOT, 'checks', file)

/** Types of one project. The compiler keeps what it knows of unchanged files. */
const types = (project) => [
  tool('typescript/bin/tsc'),
  '-p',
  project,
  '--incremental',
  '--tsBuildInfoFile',
  tool(`.cache/types/${project.replaceAll('/', '-')}`),
]

const CODE = /\.(tsx?|mjs)$/
const ofWeb = (path) => /^(web|contract)\/.*\.tsx?$/.test(path)
const isLocked = (path) => /package(-lock)?\.json$/.test(path)
const named = (options, isRead) => (files) => {
  const read = files.filter(isRead)
  return read.length === 0 ? undefined : [...options, ...read]
}
const whole = (options, isRead) => (files) => (files.some(isRead) ? options : undefined)

const FORMAT = [tool('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings']
const ROUTES = [tool('@react-router/dev/bin.cjs'), 'typegen', 'web']

/** `changed` gives a check's options for some files. Undefined where they cannot fail it. */
export const checks = [
  {
    name: 'format',
    title: 'Format and lint',
    options: FORMAT,
    changed: named([...FORMAT, '--no-errors-on-unmatched'], () => true),
  },
  {
    name: 'types',
    title: 'Types of contract and server',
    options: types('tsconfig.json'),
    changed: whole(types('tsconfig.json'), (path) => CODE.test(path) && !/^(web|e2e)\//.test(path)),
  },
  {
    name: 'e2e-types',
    title: 'Types of the browser tests',
    options: types('e2e/tsconfig.json'),
    changed: whole(types('e2e/tsconfig.json'), (path) => /^(e2e|server\/testing)\//.test(path)),
  },
  {
    name: 'route-types',
    title: 'Types of routes in the web app',
    options: ROUTES,
    changed: whole(ROUTES, (path) => path.startsWith('web/app/routes') || ofWeb(path)),
  },
  {
    name: 'web-types',
    title: 'Types of the web app',
    options: types('web/tsconfig.json'),
    changed: whole(types('web/tsconfig.json'), ofWeb),
  },
  {
    name: 'dead-code',
    title: 'Dead code',
    options: [tool('knip/bin/knip.js')],
    changed: whole([tool('knip/bin/knip.js')], isLocked),
  },
  ...[
    ['boundaries', 'Boundaries'],
    ['repository', 'Widths and lockfile'],
    ['paths', 'Paths in prose'],
  ].map(([name, title]) => ({
    name,
    title,
    options: [own(`${name}.ts`)],
    changed: () => [own(`${name}.ts`)],
  })),
  ...[
    ['lengths', 'Lengths of functions', CODE],
    ['spreads', 'Spreads of literals', CODE],
    ['names', 'Names of types', /\.tsx?$/],
    ['prose', 'Comments, test names and prose', /./],
  ].map(([name, title, form]) => ({
    name,
    title,
    options: [own(`${name}.ts`)],
    changed: named([own(`${name}.ts`)], (path) => form.test(path)),
  })),
  ...[
    ['licences', 'Licences'],
    ['ages', 'Ages of locked versions'],
    ['advisories', 'Known advisories'],
  ].map(([name, title]) => ({
    name,
    title,
    options: [own(`${name}.ts`)],
    changed: whole([own(`${name}.ts`)], isLocked),
  })),
]

const git = (...options) =>
  (spawnSync('git', options, { cwd: ROOT, encoding: 'utf8' }).stdout ?? '')
    .split('\n')
    .filter((path) => path !== '' && existsSync(join(ROOT, path)))

/** Files that differ from the last commit, or those of the last commit where none does. */
const changedFiles = () => {
  const now = [
    ...git('diff', '--name-only', 'HEAD'),
    ...git('ls-files', '--others', '--exclude-standard'),
  ]
  return now.length > 0 ? now : git('diff', '--name-only', 'HEAD~1', 'HEAD')
}

/** The checks with these names, all without a name. Undefined when a name is unknown. */
export const checksNamed = (names) => {
  if (names.length === 1 && names[0] === 'changed') {
    const files = changedFiles()
    return checks
      .map((check) => ({ ...check, options: check.changed(files) }))
      .filter(({ options }) => options !== undefined)
  }
  return names.every((name) => checks.some((check) => check.name === name))
    ? checks.filter(({ name }) => names.length === 0 || names.includes(name))
    : undefined
}

if (process.argv[1] === import.meta.filename) {
  const chosen = checksNamed(process.argv.slice(2))
  if (chosen === undefined) {
    console.error(`The checks are: changed, ${checks.map(({ name }) => name).join(', ')}.`)
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
