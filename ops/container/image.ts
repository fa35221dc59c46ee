/** Takes the steps of the Dockerfile in folders, without an engine, as a user without a name. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { ROOT, trackedFiles } from '../../checks/sources.ts'
import { readCopy, readDockerfile, readIgnored, type Stage } from './dockerfile.ts'

const FILE = join(import.meta.dirname, 'Dockerfile')
/** An id that no user has, as container platforms give. */
const NAMELESS = 54_321

export const stages = readDockerfile(readFileSync(FILE, 'utf8'))
const isIgnored = readIgnored(readFileSync(`${FILE}.dockerignore`, 'utf8'))
/** The files that Docker would send to the build. */
export const contextFiles = trackedFiles().filter((path) => !isIgnored(path))

const user = process.getuid?.() === 0 ? { uid: NAMELESS, gid: NAMELESS } : {}
const own = user.uid ?? process.getuid?.() ?? 0

/** Environment of a machine that has Node, npm and a way to the registry. */
const environmentIn = (home: string): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) =>
      /^(https?_proxy|no_proxy|npm_config_registry|node_extra_ca_certs)$/i.test(name),
    ),
  ),
  PATH: (process.env.PATH ?? '')
    .split(':')
    .filter((each) => !each.includes('node_modules'))
    .join(':'),
  HOME: home,
})

/** Puts what a COPY names into a folder, from the repository or another stage's folder. */
const copy = (text: string, to: string, folderOf: (stage: string) => string): void => {
  const { from, sources, target } = readCopy(text)
  for (const source of sources) {
    const files = from ? [] : contextFiles.filter((path) => `${path}/`.startsWith(`${source}/`))
    const begin = join(from ? folderOf(from) : ROOT, source)
    const isFolder = statSync(begin).isDirectory()
    const place = join(to, target, isFolder || !target.endsWith('/') ? '' : basename(source))
    mkdirSync(dirname(place), { recursive: true })
    if (from) cpSync(begin, place, { recursive: true, verbatimSymlinks: true })
    else if (files.length === 0) throw new Error(`COPY finds no ${source} that is sent`)
    else
      for (const path of files)
        cpSync(join(ROOT, path), isFolder ? join(place, path.slice(source.length + 1)) : place)
  }
}

const give = (path: string): void => {
  execFileSync('chown', ['-R', `${own}`, path])
}

type Taken = {
  readonly environment: NodeJS.ProcessEnv
  readonly work: string
  readonly command: readonly string[]
}

/** Stages of the Dockerfile, each in a folder of its own below `directory`. */
export const openImage = (directory: string) => {
  const home = join(directory, 'home')
  mkdirSync(home)
  give(home)
  const folderOf = (stage: string | undefined) => join(directory, `stage-${stage ?? 'last'}`)

  /** Takes all steps of a stage. `copies` may do a COPY in another way. */
  const take = (stage: Stage, copies: (text: string) => boolean = () => false): Taken => {
    const root = folderOf(stage.name)
    mkdirSync(root)
    give(root)
    let taken: Taken = { environment: environmentIn(home), work: root, command: [] }
    const runs = (command: string) =>
      execFileSync('sh', ['-c', command], {
        ...user,
        cwd: taken.work,
        env: taken.environment,
        stdio: ['ignore', 'ignore', 'pipe'],
      })
    // Absolute paths of the image lie below its folder, and its user is this one.
    const here = (text: string) =>
      text.replaceAll(/(?<=[ =])\/(data)\b/g, `${root}/$1`).replaceAll('node:node', `${own}`)
    for (const { instruction, text } of stage.steps)
      if (instruction === 'WORKDIR') {
        taken = { ...taken, work: join(root, text) }
        mkdirSync(taken.work, { recursive: true })
        give(root)
      } else if (instruction === 'COPY') {
        if (!copies(text)) copy(text, taken.work, folderOf)
        if (stage.name) give(taken.work)
      } else if (instruction === 'RUN') runs(here(text))
      else if (instruction === 'ENV') {
        const set = here(` ${text}`).trim().split(' ')
        const more = set.map((each) => each.split('=') as [string, string])
        taken = { ...taken, environment: { ...taken.environment, ...Object.fromEntries(more) } }
      } else if (instruction === 'CMD') taken = { ...taken, command: JSON.parse(text) }
    return taken
  }

  /** Starts a program in a finished stage. */
  const begin = (
    { environment, work }: Taken,
    [program = '', ...options]: readonly string[],
    more: Readonly<Record<string, string>>,
  ): ChildProcess =>
    spawn(program, options, {
      ...user,
      cwd: work,
      env: { ...environment, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  return { take, begin, folderOf }
}
