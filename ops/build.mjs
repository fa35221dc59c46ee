// Runs `npm run build`: installs, builds. The commands that serve or test begin with it, too.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { environment, installProduct, NODE } from './install.mjs'
import { ROOT } from './root.mjs'
import { run, step } from './steps.mjs'

const BUILD = join(ROOT, 'web', 'build', 'client')
/** Each names the digest of the sources that its step was done for. */
const BUILT = join(ROOT, 'web', 'build', '.built-from')
const COMPRESSED = join(ROOT, 'web', 'build', '.compressed-from')
const COMPRESS = [join(ROOT, 'web', 'compress.mjs')]
/** Folders that tools write. */
const GENERATED = new Set(['node_modules', 'build', '.react-router'])

const filesUnder = (path) =>
  statSync(path).isFile()
    ? [path]
    : readdirSync(path)
        .filter((name) => !GENERATED.has(name))
        .flatMap((name) => filesUnder(join(path, name)))

const isTest = (file) => /\.test\.tsx?$/.test(file)

/** The digest of files, and of folders without their tests. Paths begin at the repository. */
export const digestOf = (paths) => {
  const digest = createHash('sha256')
  const files = paths.flatMap((path) =>
    filesUnder(join(ROOT, path)).filter((file) => path.endsWith('.ts') || !isTest(file)),
  )
  for (const file of files.sort())
    digest.update(file.slice(ROOT.length)).update('\0').update(readFileSync(file)).update('\0')
  return digest.digest('hex')
}

const isOf = (stamp, digest) => existsSync(stamp) && readFileSync(stamp, 'utf8') === digest

/**
 * Builds the web app unless its sources are unchanged, and leaves its files as they are. Returns
 * the digest of the sources. Ends the process when the build fails.
 */
const buildPlain = async (steps) => {
  const digest = digestOf(['web', 'contract', 'package-lock.json'])
  if (existsSync(join(BUILD, 'en', 'index.html')) && isOf(BUILT, digest)) return digest
  await step(
    { doing: 'Building the web app', done: 'Web app built' },
    async () => {
      rmSync(COMPRESSED, { force: true })
      await run(NODE, [join(ROOT, 'web', 'build.mjs')], environment())
      writeFileSync(BUILT, digest)
    },
    steps,
  )
  return digest
}

/** Builds and compresses the web app unless its sources are unchanged. */
export const buildWeb = async (steps) => {
  const digest = await buildPlain(steps)
  if (isOf(COMPRESSED, digest)) return
  await step(
    { doing: 'Compressing the web app', done: 'Web app compressed' },
    async () => {
      await run(NODE, COMPRESS, environment())
      writeFileSync(COMPRESSED, digest)
    },
    steps,
  )
}

/**
 * Builds the web app as {@link buildWeb} does, and compresses it beside the product, which serves
 * plain files until then. A start that ends earlier leaves that work to the next one.
 */
export const buildWebToServe = async (steps) => {
  const digest = await buildPlain(steps)
  if (isOf(COMPRESSED, digest)) return
  const program = spawn(NODE, COMPRESS, { cwd: ROOT, env: environment(), stdio: 'inherit' })
  setPriority(program.pid, constants.priority.PRIORITY_LOW)
  process.on('exit', () => program.kill())
  program.on('exit', (code) => {
    if (code === 0) writeFileSync(COMPRESSED, digest)
  })
}

if (process.argv[1] === import.meta.filename) {
  await installProduct()
  await buildWeb()
}
