/** Hashes and verifies passwords, one after the other, on a thread of its own that lets everything else go first. */
import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { basename } from 'node:path'
import { parentPort } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'

/** `passwordHash` is there to be verified, and absent when the password is to be hashed. */
export type Task = { readonly number: number; readonly password: string; readonly passwordHash?: string | undefined }
export type Done = { readonly number: number } & ({ readonly result: string | boolean } | { readonly error: unknown })

// argon2id with 19 MiB, two passes and one lane: the parameters that OWASP recommends.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

try {
  // Linux gives each thread a priority of its own; elsewhere there is no telling, and it goes without.
  setPriority(Number(basename(readlinkSync('/proc/thread-self'))), constants.priority.PRIORITY_BELOW_NORMAL)
} catch {
  // It still is a thread of its own.
}

const carryOut = ({ password, passwordHash }: Task): string | boolean =>
  passwordHash === undefined ? hashSync(password, parameters) : verifySync(passwordHash, password)

parentPort?.on('message', (task: Task) => {
  const { number } = task
  const done = (outcome: Done) => parentPort?.postMessage(outcome)
  try {
    done({ number, result: carryOut(task) })
  } catch (error) {
    done({ number, error })
  }
})
