import type { Pool } from 'pg'
import type { Keys } from '../base/keys/keys.ts'
import { startSession } from '../base/sessions/sessions.ts'
import { microsOf, signSession } from '../base/sessions/signatures.ts'
import type { Person, Product } from './product.ts'

/** Age of a session since its last use and its start, as PostgreSQL intervals. */
export type Age = { readonly used?: string; readonly made?: string }

/** Signs the sessions of a user whose moments a test has changed by SQL. */
export const signSessionsAgain = async (pool: Pool, keys: Keys, userId: string): Promise<void> => {
  const { rows } = await pool.query<{ hash: string; started: string; proven: string | null }>(
    `SELECT encode(token_hash, 'hex') AS hash, ${microsOf('created_at')} AS started, ${microsOf('factor_at')} AS proven
     FROM sessions WHERE user_id = $1`,
    [userId],
  )
  for (const { hash, started, proven } of rows)
    await pool.query(
      "UPDATE sessions SET mac = $2, factor_mac = $3 WHERE token_hash = decode($1, 'hex')",
      [
        hash,
        signSession(keys, 'started', { hash, userId, at: started }),
        proven && signSession(keys, 'proven', { hash, userId, at: proven }),
      ],
    )
}

/** Tokens of sessions with these ages. */
export const agedTokens = async (
  product: Product,
  { id }: Person,
  ages: readonly Age[],
): Promise<string[]> => {
  const tokens = await Promise.all(ages.map(() => startSession(product.context, id)))
  await product.database.superuser.query(
    `UPDATE sessions SET last_used_at = now() - used, created_at = now() - made
     FROM unnest($1::text[], $2::interval[], $3::interval[]) AS aged(token, used, made)
     WHERE token_hash = sha256(convert_to(token, 'UTF8'))`,
    [tokens, ages.map(({ used = '0' }) => used), ages.map(({ made = '0' }) => made)],
  )
  await signSessionsAgain(product.database.superuser, product.context.keys, id)
  return tokens
}
