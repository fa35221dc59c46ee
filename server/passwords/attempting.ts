import type { Context } from '../context.ts'
import { type Attempt, admitAttempt, attemptSucceeded } from '../throttle/attempts.ts'
import { inTurn } from './passwords.ts'

/** Runs an attempt with a password, counted as failed unless it succeeds. */
export const attempting = <T>(
  { config, db }: Pick<Context, 'config' | 'db'>,
  attempt: Attempt,
  look: () => Promise<T>,
): Promise<T> =>
  inTurn(async () => {
    if (config.rateLimits) await admitAttempt(db, attempt)
    const found = await look()
    if (config.rateLimits) await attemptSucceeded(db, attempt)
    return found
  })
