import { runMigrations } from 'graphile-worker'
import pg from 'pg'
import type { Database } from '../../base/db/connection.ts'
import { aloneAmongNodes, grantee } from '../../base/db/migrate.ts'

// Opens graphile-worker's tables, which only their owner can read, to the product's role.
const GRANTS = `
DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT oid::regclass FROM pg_class AS c WHERE relnamespace = 'graphile_worker'::regnamespace AND relrowsecurity
    AND NOT EXISTS (SELECT FROM pg_policy WHERE polrelid = c.oid)
  LOOP
    EXECUTE format('CREATE POLICY product ON %s USING (true)', name);
  END LOOP;
END $$;
GRANT USAGE ON SCHEMA graphile_worker TO :app;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA graphile_worker TO :app;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA graphile_worker TO :app;
REVOKE INSERT, UPDATE, DELETE ON graphile_worker.migrations FROM :app`

/** Number of migrations and the role's right to read them. Undefined before the first one. */
const stateOf = async (owner: pg.PoolClient, role: string): Promise<string | undefined> => {
  const { rows } = await owner.query(
    "SELECT to_regclass('graphile_worker.migrations') IS NOT NULL AS made",
  )
  if (!rows[0].made) return undefined
  const { rows: found } = await owner.query(
    "SELECT max(id) || ' ' || has_table_privilege($1, 'graphile_worker.migrations', 'SELECT') AS state FROM graphile_worker.migrations",
    [role],
  )
  return found[0].state
}

/**
 * Makes or migrates the jobs' tables as the database's owner, and grants the product's role its
 * rights.
 */
export const migrateJobs = async (database: Pick<Database, 'pool' | 'owner'>): Promise<void> => {
  const { owner } = database
  const role = await grantee(database)
  await aloneAmongNodes(owner, async (client) => {
    if (role === undefined) return runMigrations({ pgPool: owner })
    const before = await stateOf(client, role)
    await runMigrations({ pgPool: owner })
    if (before?.endsWith('true') && before === (await stateOf(client, role))) return
    await client.query(GRANTS.replaceAll(':app', pg.escapeIdentifier(role)))
  })
}
