import { CompiledQuery, type Kysely } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { Query } from '../../ledger/families/movement.ts'

/** Sends the ledger's own statements outside its groups. */
export const queryOf =
  (db: Kysely<Schema>): Query =>
  async <Row>(_name: string, text: string, values: readonly unknown[] = []) =>
    (await db.executeQuery(CompiledQuery.raw(text, [...values]))).rows as Row[]
