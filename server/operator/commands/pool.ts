import type { Config } from '../../base/configuration/config.ts'
import type { Database } from '../../base/db/connection.ts'
import { holdsCluster } from '../../base/postgres/files.ts'

/** The directory or the database of a command, without a password. */
export const placeOf = ({ databaseUrl, dataDir }: Config): string => {
  if (databaseUrl === undefined) return dataDir
  const [, hosts = '', path = '', host = ''] =
    /^\w+:\/\/(?:[^/?#]*@)?([^/?#]*)(\/[^?#]*)?(?:.*[?&]host=([^&#]*))?/s.exec(databaseUrl) ?? []
  return `${decodeURIComponent(host) || hosts}${path}`
}

/** True where the operator named a place, so that a forgotten environment makes nothing. */
export const namesPlace = ({ DATA_DIR, DATABASE_URL }: NodeJS.ProcessEnv): boolean =>
  Boolean(DATA_DIR || DATABASE_URL)

/** Refuses to go on without a pool, and says what to do. */
const noPool = (config: Config): Error => {
  const place = placeOf(config)
  return new Error(
    config.databaseUrl === undefined
      ? `There is no pool in ${place}. Nothing was changed. Set DATA_DIR to the directory of your pool. A new pool is made by: npm start`
      : `There is no pool in the database ${place}. Nothing was changed. Set DATABASE_URL to the database of your pool. A new pool is made by: npm start`,
  )
}

/** Throws without an embedded cluster. Makes nothing. A database at a URL is asked later. */
export const requireDatabase = (config: Config): void => {
  if (config.databaseUrl === undefined && !holdsCluster(config.dataDir)) throw noPool(config)
}

/** True once the first start has made the super admin. A database with tables alone is no pool. */
export const holdsPool = async ({ owner }: Pick<Database, 'owner'>): Promise<boolean> => {
  const { rows: tables } = await owner.query("SELECT to_regclass('users') IS NOT NULL AS made")
  if (!tables[0].made) return false
  const { rows } = await owner.query('SELECT EXISTS (SELECT FROM users) AS started')
  return rows[0].started
}

/** Throws for a database without a pool. */
export const requirePool = async (database: Pick<Database, 'owner'>, config: Config) => {
  if (!(await holdsPool(database))) throw noPool(config)
}

/**
 * Identity of the pool: what its first audit entry is unique by. It stays the same in backups,
 * restores and upgrades. Undefined for a trail that was emptied.
 */
export const poolId = async ({ owner }: Pick<Database, 'owner'>): Promise<string | undefined> => {
  const { rows } = await owner.query<{ id: string }>(
    'SELECT coalesce(nonce::text, subject_id) AS id FROM audit_entries ORDER BY id LIMIT 1',
  )
  return rows[0]?.id
}
