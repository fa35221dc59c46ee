import { refusal } from '@pool/contract/base/refusals'
import type { Kysely } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { type Limit, minutesToWait, uncount } from '../throttle/counts.ts'

/** Most wrong codes for a user. */
const limitsOf = (userId: string): readonly Limit[] => [
  { counted: ['guess', '1 minute', userId], most: 10, span: '1 minute' },
  { counted: ['guess', '1 day', userId], most: 100, span: '1 day' },
]

/**
 * Counts a code of an authenticator app for all nodes, before it is compared. Recovery codes and
 * passkeys cannot be guessed and stay open. Throws `tooManyGuesses` with the minutes to wait.
 */
export const admitGuess = async (db: Kysely<Schema>, userId: string): Promise<void> => {
  const minutes = await minutesToWait(db, ...limitsOf(userId))
  if (minutes > 0) throw refusal('tooManyGuesses', { minutes })
}

/** Uncounts a right code. */
export const guessSucceeded = (db: Kysely<Schema>, userId: string): Promise<void> =>
  uncount(db, ...limitsOf(userId))
