import { refusal } from '@pool/contract/refusals'
import { carryOut } from './passwordWork.ts'

/** Returns a password's argon2id hash, which contains its salt and parameters. */
export const hashPassword = async (password: string): Promise<string> =>
  String(await carryOut({ password }))

let hashOfNobody: Promise<string> | undefined

/**
 * Makes the dummy hash once. A failure is not cached, so unknown emails keep costing the same.
 */
const nobodysHash = (): Promise<string> => {
  hashOfNobody ??= hashPassword('no account has this hash').catch((error: unknown) => {
    hashOfNobody = undefined
    throw error
  })
  return hashOfNobody
}

/**
 * True when a password matches a hash. Without a hash it does equal work and returns false. So the
 * response time does not reveal users.
 */
export const passwordMatches = async (
  passwordHash: string | undefined,
  password: string,
): Promise<boolean> => {
  const nobodys = await nobodysHash()
  const matches = await carryOut({ password, passwordHash: passwordHash ?? nobodys })
  return matches === true && passwordHash !== undefined
}

/** Most calls with a password in progress. At 50 ms each, the last waits a few seconds. */
const MOST_IN_TURN = 64
let inProgress = 0

/** Runs a call with a password. Throws `busy` above the limit, before counting or recording it. */
export const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
  if (inProgress >= MOST_IN_TURN) throw refusal('busy')
  inProgress += 1
  try {
    return await work()
  } finally {
    inProgress -= 1
  }
}
