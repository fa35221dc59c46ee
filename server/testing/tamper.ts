import type { Pool } from 'pg'

/** Writes past every trigger, as a superuser could, so that checks have faults to find. */
export const tamper = async (
  { pool, superuser = pool }: { readonly pool: Pool; readonly superuser?: Pool },
  statements: string,
): Promise<void> => {
  await superuser.query(
    `SET session_replication_role = replica; ${statements}; RESET session_replication_role`,
  )
}
