import { refusal } from '@pool/contract/base/refusals'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'

/** Throws `accountFrozen`. The account cannot be frozen before the transaction ends. */
export const requireThawed = async (transaction: Kysely<Schema>, userId: string): Promise<void> => {
  const { rows } = await sql<{ frozen: boolean }>`SELECT is_frozen(${userId}) AS frozen`.execute(
    transaction,
  )
  if (rows[0]?.frozen) throw refusal('accountFrozen')
}
