import pg from 'pg'
import { expect } from 'vitest'
import type { Product } from './product.ts'

/** Contents of a database, so that drills can compare two of them. */

const withClient = async <T>(
  address: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> => {
  const client = new pg.Client(address)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Digests of every table's rows, with the moment of the snapshot. */
export const everything = (
  address: pg.ClientConfig,
): Promise<{ tables: Record<string, string>; at: string }> =>
  withClient(address, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
    )
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
    const tables: Record<string, string> = {}
    for (const { name } of rows) {
      const digest = await client.query(
        `SELECT count(*) || ' rows, ' || md5(coalesce(string_agg(t::text, E'\\n' ORDER BY t::text), '')) AS digest FROM "${name}" AS t`,
      )
      tables[name] = digest.rows[0].digest
    }
    await client.query('COMMIT')
    const moment = await client.query<{ at: Date }>('SELECT clock_timestamp() AS at')
    return { tables, at: moment.rows[0]?.at.toISOString() ?? '' }
  })

/** Tables that sessions and the jobs of each minute change by themselves, for `toMatchObject`. */
export const CHANGED_BY_JOBS = {
  sessions: expect.anything(),
  ledger_checks: expect.anything(),
  notice_mailing: expect.anything(),
  mails: expect.anything(),
  mail_deliveries: expect.anything(),
  pool_figures: expect.anything(),
  job_successes: expect.anything(),
}

/** Waits until the audit trail is fully sealed, so that only jobs change rows by themselves. */
export const atRest = (address: pg.ClientConfig): Promise<void> =>
  withClient(address, (client) =>
    expect
      .poll(
        async () =>
          (
            await client.query(
              'SELECT FROM audit_entries WHERE id > (SELECT coalesce(max(entry_id), 0) FROM audit_seals)',
            )
          ).rowCount,
      )
      .toBe(0),
  )

const STRANGERS =
  "('session.refused', 'session.throttled', 'factor.refused', 'password.resetAsked')"
const exceptStrangers: Readonly<Record<string, string>> = {
  audit_entries: ` WHERE action NOT IN ${STRANGERS}`,
  tallies: ` WHERE kind NOT IN ${STRANGERS}`,
}

/**
 * Digest of all rows but what strangers cause: sign-in attempts, refused sign-ins, forgotten
 * passwords. Leaves out the use of sessions too.
 */
export const digestOf = async ({ database: { pool } }: Product): Promise<string> => {
  const { rows: tables } = await pool.query<{ name: string }>(
    // Partitions are read through their table.
    "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND relname NOT IN ('sessions', 'login_throttles', 'audit_unsealed') ORDER BY 1",
  )
  const each = tables.map(
    ({ name }) =>
      `SELECT '${name}', count(*)::text, md5(string_agg(t::text, '' ORDER BY t::text)) FROM ${name} AS t${exceptStrangers[name] ?? ''}`,
  )
  return JSON.stringify(
    // Parallel workers would end in any order.
    (await pool.query({ text: `${each.join(' UNION ALL ')} ORDER BY 1`, rowMode: 'array' })).rows,
  )
}
