// Runs `npm run build`: installs, builds. The commands that serve or test begin with it, too.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { environment, installProduct, NODE } from './install.mjs'
import { ROOT } from './root.mjs'
import { run, step } from './steps.mjs'

const BUILD = join(ROOT, 'web', 'build', 'client')
const STAMP = join(ROOT, 'web', 'build', '.built-from')
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

/** Builds the web app unless its sources are unchanged. Ends the process when the build fails. */
export const buildWeb = async (steps) => {
  const digest = digestOf(['web', 'contract', 'package-lock.json'])
  if (
    existsSync(join(BUILD, 'en', 'index.html')) &&
    existsSync(STAMP) &&
    readFileSync(STAMP, 'utf8') === digest
  )
    return
  await step(
    { doing: 'Building the web app', done: 'Web app built' },
    async () => {
      await run(NODE, [join(ROOT, 'web', 'build.mjs')], environment())
      writeFileSync(STAMP, digest)
    },
    steps,
  )
}

if (process.argv[1] === import.meta.filename) {
  await installProduct()
  await buildWeb()
}
