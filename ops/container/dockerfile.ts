/** Reads the Dockerfile and its list of ignored files, as far as this repository uses them. */
import { matchesGlob } from 'node:path'

/** An instruction, such as COPY, with the words after it. */
export type Step = { readonly instruction: string; readonly text: string }
export type Stage = {
  readonly name: string | undefined
  readonly base: string
  readonly steps: readonly Step[]
}

const KNOWN = ['WORKDIR', 'COPY', 'RUN', 'ENV', 'USER', 'EXPOSE', 'CMD']

/** Throws for an instruction or a form that it does not know. */
export const readDockerfile = (text: string): Stage[] => {
  const stages: { name: string | undefined; base: string; steps: Step[] }[] = []
  for (const line of text.split('\n').filter((each) => each !== '' && !each.startsWith('#'))) {
    const [, instruction = '', rest = ''] = /^([A-Z]+) (.+)$/.exec(line) ?? []
    if (line.endsWith('\\')) throw new Error(`A line that goes on: ${line}`)
    if (instruction === 'FROM') {
      const [base = '', , name] = rest.split(' ')
      stages.push({ name, base, steps: [] })
    } else if (KNOWN.includes(instruction)) stages.at(-1)?.steps.push({ instruction, text: rest })
    else throw new Error(`An unknown instruction: ${line}`)
  }
  return stages
}

export type Copy = {
  /** The stage that it copies from. Undefined for the repository. */
  readonly from: string | undefined
  readonly sources: readonly string[]
  readonly target: string
}

export const readCopy = (text: string): Copy => {
  const words = text.split(' ')
  const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length)
  const paths = words.filter((word) => !word.startsWith('--'))
  return { from, sources: paths.slice(0, -1), target: paths.at(-1) ?? '' }
}

/** Tells the files that Docker would send. The last line that fits a path or a parent decides. */
export const readIgnored = (text: string): ((path: string) => boolean) => {
  const rules = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ ignores: !line.startsWith('!'), glob: line.replace(/^!/, '') }))
  return (path) => {
    const parts = path.split('/')
    const parents = parts.map((_, index) => parts.slice(0, index + 1).join('/'))
    const last = rules.findLast(({ glob }) => parents.some((each) => matchesGlob(each, glob)))
    return last?.ignores ?? false
  }
}
