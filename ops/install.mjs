// Plain JavaScript that runs on Node 20 and newer: it is what a fresh clone starts with, before anything is installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The repository's own directory. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The Node that the product runs on: the one from package-lock.json, whatever the machine has. */
export const NODE = join(ROOT, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')

const STAMP = join(ROOT, 'node_modules', '.installed')

const lockDigest = () =>
  createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .digest('hex')

/** Installs exactly what package-lock.json names, unless that is what is there already. Ends the process when it fails. */
export const install = () => {
  const digest = lockDigest()
  if (existsSync(NODE) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === digest) return
  console.log('Installing dependencies …')
  // The scripts of `npm ci` need no Node 24 yet; packages that ask for one only warn about the machine's.
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: ROOT,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status !== 0) {
    console.error('The dependencies could not be installed; see the message above.')
    process.exit(status ?? 1)
  }
  writeFileSync(STAMP, digest)
}

/** The environment for what runs on the product's Node. */
export const environment = (more = {}) => ({
  ...process.env,
  ...more,
  PATH: `${join(ROOT, 'node_modules', '.bin')}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH}`,
})
