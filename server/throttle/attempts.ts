import { refusal } from '@pool/contract/refusals'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { ipRange } from '../sessions/ipRange.ts'
import { keyOf } from './counts.ts'

/** A sign-in attempt with its email in lower case and its IP address. */
export type Attempt = { readonly username: string; readonly ip: string }

/** A /64 counts as one IP, since one household can use all of it. */
const HOUSEHOLD = 64

const keysOf = ({ username, ip }: Attempt) => {
  const range = ipRange(ip, HOUSEHOLD)
  return sql`${keyOf('pair', username, range)}, ${keyOf('account', username)}, ${keyOf('address', range)}`
}

/**
 * Counts an attempt before its password check, whether or not the user exists (decision 4).
 * Throws `tooManySignIns` with the minutes to wait.
 */
export const admitAttempt = async (db: Kysely<Schema>, attempt: Attempt): Promise<void> => {
  const { rows } = await sql<{
    seconds: number
  }>`SELECT admit_login(${keysOf(attempt)}) AS seconds`.execute(db)
  const seconds = rows[0]?.seconds ?? 0
  if (seconds > 0) throw refusal('tooManySignIns', { minutes: Math.ceil(seconds / 60) })
}

/** Uncounts a successful attempt. Its IP stays open to the user despite attempts from others. */
export const attemptSucceeded = async (db: Kysely<Schema>, attempt: Attempt): Promise<void> => {
  await sql`SELECT login_succeeded(${keysOf(attempt)})`.execute(db)
}
