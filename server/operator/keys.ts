import { readConfig } from '../config.ts'
import { findKeys, rotateKeys } from '../keys/keyFile.ts'
import { endCommand, print, UsageError } from './command.ts'

const usage = `Usage:
  npm run keys -- show       the ids of the keys, the newest first
  npm run keys -- rotate     adds a key that signs from the next start; older keys still verify`

const verbs: Readonly<Record<string, () => void>> = {
  show: () => {
    for (const id of findKeys(readConfig(process.env)).ids) print(id)
  },
  rotate: () => {
    const { file, ids } = rotateKeys(readConfig(process.env))
    print(
      `${ids[0]} is the newest of ${ids.length} in ${file}. Keep a copy of that file apart from the database and its backups.`,
    )
  },
}

try {
  const [verb = '', ...rest] = process.argv.slice(2)
  const work = Object.hasOwn(verbs, verb) && rest.length === 0 ? verbs[verb] : undefined
  if (!work) throw new UsageError(usage)
  work()
} catch (error) {
  endCommand(error)
}
