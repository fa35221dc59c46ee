import { type Config, readConfig } from '../../base/configuration/config.ts'
import { findKeys, keyFileOf, rotateKeys } from '../../base/keys/keyFile.ts'
import { argumentsOf, headFrom, UsageError } from './arguments.ts'
import { endCommand, runCommand, type Work } from './command.ts'
import { endLeakedKey } from './leakedKey.ts'
import { note, print } from './output.ts'

const usage = `Usage:
  npm run keys -- show                                the ids of the keys and their public keys, the newest first
  npm run keys -- rotate                              adds a key that signs from the next start; older keys still verify
  npm run keys -- leaked ID [--head POSITION HASH]    of a stopped product: believes the key only up to that head of the
                                                      audit chain, or up to the present one; adds a key if it is the newest
Only rotate makes a file, and only where INTEGRITY_KEY_FILE names one.`

const verbs: Readonly<Record<string, (config: Config) => void>> = {
  show: (config) => {
    const { leaked, publicKeys } = findKeys(config)
    note(`Key file: ${keyFileOf(config)}`)
    for (const { id, publicKey } of publicKeys) {
      const mark = leaked.get(id)
      print([id, publicKey, ...(mark ? ['leaked', mark.position, mark.hash] : [])].join(' '))
    }
  },
  rotate: (config) => {
    const { file, ids } = rotateKeys(config)
    print(
      `${ids[0]} is the newest of ${ids.length} in ${file}. Keep a copy of that file apart from the database and its backups.`,
    )
  },
}

const KEY_ID = /^[0-9a-f]{8}$/

const leaked = (): Work => {
  const { words, options } = argumentsOf(usage, 'head')
  // A head is two words, and the parser takes the second as a word of its own.
  const [, id = '', hash, ...rest] = words
  const head = options.head === undefined ? undefined : headFrom([options.head, hash].join(' '))
  if (rest.length > 0 || !KEY_ID.test(id) || ((options.head ?? hash) !== undefined && !head))
    throw new UsageError(usage)
  return (product, config) => endLeakedKey(product, config, { id, head })
}

const run = (verb = '', ...rest: readonly string[]): void => {
  const work = Object.hasOwn(verbs, verb) && rest.length === 0 ? verbs[verb] : undefined
  if (!work) throw new UsageError(usage)
  work(readConfig(process.env))
}

try {
  if (process.argv[2] === 'leaked') await runCommand(leaked)
  else run(...argumentsOf(usage).words)
} catch (error) {
  endCommand(error)
}
