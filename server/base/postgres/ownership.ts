/**
 * Roles of the embedded database. The superuser starts it and makes the other two. The owner
 * migrates, and the app owns nothing (docs/decisions/017).
 */
import pg from 'pg'
import { type Address, addressAs, addressOf, type Role } from './cluster.ts'
import type { PostgresFiles } from './files.ts'

/** The product's database in the embedded PostgreSQL. */
export const DATABASE = 'pool'

/**
 * Makes the product's roles and database, or reuses them. Gives the owner every object that the
 * superuser owns.
 */
export const ensureRoles = async (files: PostgresFiles): Promise<void> => {
  const superuser = addressOf(files)
  await asSuperuser(superuser, 'postgres', async (client) => {
    await ensureRole(client, addressAs(files, 'pool_owner'))
    await ensureRole(client, addressAs(files, 'pool_app'))
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [
      DATABASE,
    ])
    await client.query(
      rowCount === 0
        ? `CREATE DATABASE ${DATABASE} OWNER pool_owner`
        : `ALTER DATABASE ${DATABASE} OWNER TO pool_owner`,
    )
    await restrictDatabase(client, DATABASE)
  })
  await asSuperuser(superuser, DATABASE, handOver)
}

/**
 * Revokes a database's public rights. With a temporary table, a role could run our triggers on rows
 * of its own making.
 */
export const restrictDatabase = async (
  client: Pick<pg.Client, 'query'>,
  name: string,
): Promise<void> => {
  await client.query(
    `REVOKE ALL ON DATABASE ${name} FROM PUBLIC; GRANT CONNECT ON DATABASE ${name} TO pool_app`,
  )
}

const asSuperuser = async (
  address: Address,
  database: string,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> => {
  // Runs nothing that another role put into a schema.
  const client = new pg.Client({ ...address, database, options: '-c search_path=pg_catalog' })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

// Sets the password at every start, because a restore may change the cluster's.
const ensureRole = async (client: pg.Client, { user, password }: Address): Promise<void> => {
  const role = user satisfies string as Role
  const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [role])
  if (rowCount === 0) await client.query(`CREATE ROLE ${role}`)
  await client.query(
    `ALTER ROLE ${role} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD ${client.escapeLiteral(password)}`,
  )
}

/**
 * One statement for each object of the superuser. Tables bring their indexes, row types and
 * sequences.
 */
const OWNED = `
  WITH ours AS (
    SELECT oid, nspname FROM pg_namespace WHERE nspname NOT LIKE 'pg\\_%' AND nspname <> 'information_schema'
  ), owned AS (
    SELECT 'SCHEMA' AS kind, quote_ident(nspname) AS name, 'pg_namespace'::regclass AS class, oid, nspowner AS owner
      FROM pg_namespace JOIN ours USING (oid, nspname) WHERE nspname <> 'public'
    UNION ALL
    SELECT CASE relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE' WHEN 'c' THEN 'TYPE' ELSE 'TABLE' END,
        oid::regclass::text, 'pg_class'::regclass, oid, relowner
      FROM pg_class WHERE relnamespace IN (SELECT oid FROM ours) AND relkind IN ('r', 'p', 'v', 'm', 'S', 'c')
    UNION ALL
    SELECT 'ROUTINE', oid::regprocedure::text, 'pg_proc'::regclass, oid, proowner FROM pg_proc WHERE pronamespace IN (SELECT oid FROM ours)
    UNION ALL
    SELECT 'TYPE', oid::regtype::text, 'pg_type'::regclass, oid, typowner
      FROM pg_type WHERE typnamespace IN (SELECT oid FROM ours) AND typtype IN ('e', 'd')
  )
  SELECT format('ALTER %s %s OWNER TO pool_owner', kind, name) AS statement FROM owned
  WHERE owner = 10 AND NOT EXISTS (
    SELECT FROM pg_depend AS d WHERE d.classid = owned.class AND d.objid = owned.oid AND d.objsubid = 0 AND d.deptype IN ('e', 'a', 'i')
      AND (d.deptype = 'e' OR kind = 'SEQUENCE'))`

const handOver = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ statement: string }>(OWNED)
  if (rows.length > 0)
    await client.query(`BEGIN; ${rows.map(({ statement }) => statement).join('; ')}; COMMIT`)
}
