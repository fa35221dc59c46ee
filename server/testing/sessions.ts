import { startSession } from '../sessions/sessions.ts'
import type { Person, Product } from './product.ts'

/** Age of a session since its last use and its start, as PostgreSQL intervals. */
export type Age = { readonly used?: string; readonly made?: string }
/** Tokens of sessions with these ages. */
export const agedTokens = async (
  product: Product,
  { id }: Person,
  ages: readonly Age[],
): Promise<string[]> => {
  const tokens = await Promise.all(ages.map(() => startSession(product.context.db, id)))
  await product.database.pool.query(
    `UPDATE sessions SET last_used_at = now() - used, created_at = now() - made
     FROM unnest($1::text[], $2::interval[], $3::interval[]) AS aged(token, used, made)
     WHERE token_hash = sha256(convert_to(token, 'UTF8'))`,
    [tokens, ages.map(({ used = '0' }) => used), ages.map(({ made = '0' }) => made)],
  )
  return tokens
}
