/**
 * Hashes and verifies passwords, one after the other, in a process of its own that lets everything
 * else go first.
 */
import { execFileSync } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { hashSync, verifySync } from '@node-rs/argon2'

/**
 * `polite`: only while a processor has nothing else to do. `insistent`: behind the others, but with
 * a share.
 */
export type Manner = 'polite' | 'insistent'
/** `passwordHash` is there to be verified, and absent when the password is to be hashed. */
export type Task = { readonly password: string; readonly passwordHash?: string | undefined }
export type Done = { readonly result: string | boolean } | { readonly error: unknown }

// argon2id with 19 MiB, two passes and one lane: the parameters that OWASP recommends.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

const giveWay = (manner: Manner): void => {
  try {
    // Linux has a class for this, beyond the lowest priority: whoever wakes up takes the processor
    // from it at once.
    if (manner === 'polite')
      execFileSync('chrt', ['--all-tasks', '--idle', '--pid', '0', String(process.pid)], {
        stdio: 'ignore',
      })
    else setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    setPriority(constants.priority.PRIORITY_LOW)
  }
}

giveWay(process.argv[2] as Manner)

// A stop is for the server, which finishes what is under way; this ends when the server's end of
// the channel does.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)

const carryOut = ({ password, passwordHash }: Task): string | boolean =>
  passwordHash === undefined ? hashSync(password, parameters) : verifySync(passwordHash, password)

process.on('message', (task: Task) => {
  // Where the server has ended meanwhile, nobody is to be told.
  const done = (outcome: Done) => process.send?.(outcome, undefined, undefined, () => undefined)
  try {
    done({ result: carryOut(task) })
  } catch (error) {
    done({ error })
  }
})
