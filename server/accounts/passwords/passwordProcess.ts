/** Hashes and verifies passwords one by one, in a process that yields to all others. */
import { execFileSync } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { hashSync, verifySync } from '@node-rs/argon2'

/** `polite` runs only on an idle processor. `insistent` has low priority but a share. */
export type Manner = 'polite' | 'insistent'
/** Verifies against `passwordHash` when present, else hashes. */
export type Task = { readonly password: string; readonly passwordHash?: string | undefined }
export type Done = { readonly result: string | boolean } | { readonly error: unknown }

// argon2id as OWASP recommends: 19 MiB, two passes and one lane.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

const lowerPriority = (manner: Manner): void => {
  try {
    // Linux's idle class yields at once to every waking process. The lowest priority does not.
    if (manner === 'polite')
      execFileSync('chrt', ['--all-tasks', '--idle', '--pid', '0', String(process.pid)], {
        stdio: 'ignore',
      })
    else setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    setPriority(constants.priority.PRIORITY_LOW)
  }
}

lowerPriority(process.argv[2] as Manner)

// Ignores stop signals, which are for the server. It ends when the server closes the channel.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)

const carryOut = ({ password, passwordHash }: Task): string | boolean =>
  passwordHash === undefined ? hashSync(password, parameters) : verifySync(passwordHash, password)

process.on('message', (task: Task) => {
  // Ignores a failed send: the server has ended meanwhile.
  const done = (outcome: Done) => process.send?.(outcome, undefined, undefined, () => undefined)
  try {
    done({ result: carryOut(task) })
  } catch (error) {
    done({ error })
  }
})
