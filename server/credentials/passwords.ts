import { refusal } from '@pool/contract/refusals'
import { carryOut } from './passwordWork.ts'

/** The argon2id hash of a password, with its own salt and parameters in it. */
export const hashPassword = async (password: string): Promise<string> =>
  String(await carryOut({ password }))

let hashOfNobody: Promise<string> | undefined

/**
 * Made once; a try that fails is not kept, or nobody without an account would ever again be
 * answered as everybody else is.
 */
const nobodysHash = (): Promise<string> => {
  hashOfNobody ??= hashPassword('no account has this hash').catch((error: unknown) => {
    hashOfNobody = undefined
    throw error
  })
  return hashOfNobody
}

/**
 * Whether a password belongs to a stored hash. Without a hash (no such account) it does the same
 * work and says no, so that the time of the answer does not tell whether an account exists.
 */
export const passwordMatches = async (
  passwordHash: string | undefined,
  password: string,
): Promise<boolean> => {
  const nobodys = await nobodysHash()
  const matches = await carryOut({ password, passwordHash: passwordHash ?? nobodys })
  return matches === true && passwordHash !== undefined
}

/**
 * The most calls with a password that this process takes at once. Each is a twentieth of a second
 * of work, so the last of them waits a few seconds.
 */
const MOST_IN_TURN = 64
let inProgress = 0

/**
 * Takes a call that needs a password's work. Throws `busy` at once, before anything of it is
 * counted or recorded, when too many are being worked at.
 */
export const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
  if (inProgress >= MOST_IN_TURN) throw refusal('busy')
  inProgress += 1
  try {
    return await work()
  } finally {
    inProgress -= 1
  }
}
