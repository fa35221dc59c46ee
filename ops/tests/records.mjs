import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from '../root.mjs'

/** The functions that each file of tests ran in the last `npm run test:all` on this machine. */
const KEPT = join(ROOT, 'node_modules', '.cache', 'tests', 'ran.json')

/** The records that the files of a run wrote: cost and functions. */
export const recordsIn = (directory) => {
  try {
    return readdirSync(directory).map((name) =>
      JSON.parse(readFileSync(join(directory, name), 'utf8')),
    )
  } catch {
    return []
  }
}

/** Keeps records with their commit and the seconds of each file, from the reports. */
export const keepRecords = (records, timed, commit, kept = KEPT) => {
  const wall = new Map()
  for (const { file, seconds } of timed) wall.set(file, (wall.get(file) ?? 0) + seconds)
  const files = records
    .filter(({ functions }) => functions !== undefined)
    .map(({ file, functions, sql }) => ({ file, seconds: wall.get(file) ?? 0, functions, sql }))
  mkdirSync(dirname(kept), { recursive: true })
  writeFileSync(kept, JSON.stringify({ commit, files }))
}

/** The kept records. Undefined before the first whole run. */
export const readKept = (kept = KEPT) => {
  try {
    return JSON.parse(readFileSync(kept, 'utf8'))
  } catch {
    return undefined
  }
}
