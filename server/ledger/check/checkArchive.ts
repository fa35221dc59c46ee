import { Kysely, PostgresDialect, sql } from 'kysely'
import type { Pool } from 'pg'
import type { Schema } from '../../base/db/schema.ts'
import { type ArchivedMonth, readArchived } from '../archive/closings.ts'
import { findWrongTransfers } from './causes.ts'

/** The rows of an archived month, in batches. Throws when its file is not what was signed. */
export type ReadMonth = (month: ArchivedMonth) => AsyncIterable<readonly string[]>

/**
 * Recomputes the closing balances from the files of archived months, and compares the rows of each
 * month with its movements. Returns the finding as a sentence. The owner may make temporary tables.
 */
export const checkArchive = async (owner: Pool, read: ReadMonth): Promise<string | undefined> =>
  new Kysely<Schema>({ dialect: new PostgresDialect({ pool: owner }) })
    .connection()
    .execute(async (db) => {
      await hideMovements(db)
      try {
        for (const month of await readArchived(db)) {
          for await (const rows of read(month)) await add(db, rows)
          const wrong = await findWrongTransfers(db, month)
          if (wrong)
            return `In the archive of ${month.month}, the ${[wrong.noun, wrong.id, wrong.status, wrong.contradiction].filter(Boolean).join(' ')}.`
          await sql`INSERT INTO archived_sums ${SIDES}`.execute(db)
          await sql`TRUNCATE pg_temp.movements`.execute(db)
        }
        return await differing(db)
      } finally {
        await sql`DISCARD TEMP`.execute(db)
        await sql`RESET statement_timeout`.execute(db)
      }
    })

const SIDES = sql`
  SELECT account_id, sum(amount) FROM (
    SELECT to_account_id, amount FROM transfers UNION ALL SELECT from_account_id, -amount FROM transfers
  ) AS side (account_id, amount) GROUP BY account_id`

/** Temporary tables of the same names come first, so the ledger's queries read the archive. */
const hideMovements = async (db: Kysely<Schema>): Promise<void> => {
  const { rows } = await sql<{ view: string }>`
    SELECT pg_get_viewdef('transfers'::regclass) AS view`.execute(db)
  await sql`SET statement_timeout = 0`.execute(db)
  await sql`CREATE TEMPORARY TABLE movements (LIKE movements)`.execute(db)
  await sql`CREATE TEMPORARY VIEW transfers AS ${sql.raw(rows[0]?.view ?? '')}`.execute(db)
  await sql`CREATE TEMPORARY TABLE archived_sums (account_id bigint, amount numeric)`.execute(db)
}

const add = async (db: Kysely<Schema>, rows: readonly string[]): Promise<void> => {
  await sql`
    INSERT INTO pg_temp.movements
    SELECT (json_populate_record(NULL::pg_temp.movements, row::json)).* FROM unnest(${rows}::text[]) AS row`.execute(
    db,
  )
}

const differing = async (db: Kysely<Schema>): Promise<string | undefined> => {
  const { rows } = await sql<{ id: string; closing: string; archived: string }>`
    WITH summed AS (SELECT account_id, sum(amount) AS amount FROM archived_sums GROUP BY account_id)
    SELECT account_id::text AS id, coalesce(c.amount, 0)::text AS closing, coalesce(s.amount, 0)::text AS archived
    FROM summed AS s FULL JOIN closing_balances AS c USING (account_id)
    WHERE coalesce(c.amount, 0) <> coalesce(s.amount, 0) ORDER BY account_id LIMIT 1`.execute(db)
  const [first] = rows
  return (
    first &&
    `Account ${first.id} has the closing balance of ${first.closing} cents, but its archived transfers come to ${first.archived}.`
  )
}
