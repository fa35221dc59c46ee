/** The mode of the pool: a signed row that no environment changes (docs/decisions/039). */
import { type Kysely, sql } from 'kysely'
import { type Config, readConfig } from '../../base/configuration/config.ts'
import type { Database } from '../../base/db/connection.ts'
import type { Schema } from '../../base/db/schema.ts'
import { type Keys, keyIdOf, type Mark } from '../../base/keys/keys.ts'
import { takeLock } from '../../base/locks.ts'
import { FROM_OPERATOR, type OnRecord, record } from '../audit/record.ts'

type Mode = Config['poolMode']

/**
 * Reads a server's configuration. An unset `POOL_MODE` takes the mode on record, unverified. Throws
 * when it names the other one, and as {@link readConfig} does.
 */
export const configOfPool = async (
  { owner }: Pick<Database, 'owner'>,
  environment: NodeJS.ProcessEnv,
): Promise<Config> => {
  const config = readConfig(environment)
  const mode = await modeOnRecord(owner)
  if (mode === undefined) return config
  requireSame(config, mode)
  return readConfig({ ...environment, POOL_MODE: mode })
}

/** The same for a command. It needs no settings that only a server needs in live mode. */
export const configOfCommand = async (
  { owner }: Pick<Database, 'owner'>,
  config: Config,
): Promise<Config> => {
  const mode = (await modeOnRecord(owner)) ?? config.poolMode
  requireSame(config, mode)
  return { ...config, poolMode: mode }
}

/** Undefined before the first start, and before a migration that makes or grants the table. */
const modeOnRecord = async (owner: Database['owner']): Promise<Mode | undefined> => {
  const { rows: found } = await owner.query<{ known: boolean }>(
    "SELECT coalesce(has_table_privilege(to_regclass('pool_mode'), 'SELECT'), false) AS known",
  )
  if (!found[0]?.known) return undefined
  const { rows } = await owner.query<{ mode: Mode }>('SELECT mode FROM pool_mode')
  return rows[0]?.mode
}

/** Throws when the environment names another mode than the pool has. */
const requireSame = ({ askedMode }: Pick<Config, 'askedMode'>, mode: Mode): void => {
  if (askedMode === undefined || askedMode === mode) return
  throw new Error(
    `This pool is ${named[mode]} for good, and POOL_MODE says ${askedMode}. Leave POOL_MODE out, or set it to ${mode}. For ${named[askedMode]}, name another database in DATABASE_URL or DATA_DIR.`,
  )
}

const named: Readonly<Record<Mode, string>> = { sandbox: 'a sandbox', live: 'a live pool' }

/**
 * Sets the mode at the first start, else verifies it. Throws for another mode, a wrong signature,
 * a lost row, a database for or of a rehearsal, and an older database without `POOL_MODE`.
 */
export const recordOrVerifyMode = ({
  config,
  db,
  keys,
}: OnRecord & { readonly config: Config }): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    // Nodes start in turn, else one could see the entry of another and miss its row.
    await takeLock(transaction, 'mode')
    const known = await verifiedMode(transaction, keys)
    if (known !== undefined) await requireServable(transaction)
    if (known !== undefined) return requireSame({ askedMode: config.poolMode }, known)
    await requireFirstStart(transaction, config)
    const { rows } = await sql<{
      at: Date
    }>`SELECT date_trunc('milliseconds', now()) AS at`.execute(transaction)
    const { poolMode: mode } = config
    const set_at = rows[0]?.at ?? new Date()
    const mac = keys.sign('pool mode', contentOf({ mode, set_at }))
    await transaction.insertInto('pool_mode').values({ mode, set_at, mac }).execute()
    await record(transaction, keys, {
      by: { name: 'operator', from: FROM_OPERATOR },
      action: 'mode.set',
      subject: { type: 'mode', id: 'pool' },
      after: { mode },
    })
  })

/** The mode on record. Undefined before the first start. Throws for a wrong signature. */
export const verifiedMode = async (db: Kysely<Schema>, keys: Keys): Promise<Mode | undefined> => {
  const row = await db.selectFrom('pool_mode').select(['mode', 'set_at', 'mac']).executeTakeFirst()
  if (row === undefined) return undefined
  const verdict = keys.verify('pool mode', contentOf(row), row.mac)
  if (verdict === 'leaked')
    throw new Error(
      `The database says that this pool is ${row.mode}, and the leaked key ${keyIdOf(row.mac)} signed that. Sign it anew: npm run keys -- leaked ${keyIdOf(row.mac)}`,
    )
  if (verdict !== 'valid')
    throw new Error(
      `The database says that this pool is ${row.mode}, and no key of this product signed that. Restore a backup, or the key file of this pool.`,
    )
  return row.mode
}

/**
 * Signs the mode again with the newest key. `before` are the keys that still believe the present
 * signature. Throws for a wrong one, and for a mode that the trail up to `mark` does not have.
 */
export const signModeAgain = async (
  { db, owner, keys }: Pick<Database, 'db' | 'owner'> & { readonly keys: Keys },
  { before, mark }: { readonly before: Keys; readonly mark: Mark },
): Promise<void> => {
  const mode = await verifiedMode(db, before)
  if (mode === undefined) return
  const { rows } = await sql<{ mode: string }>`
    SELECT after ->> 'mode' AS mode FROM audit_entries AS e JOIN audit_seals AS s ON s.entry_id = e.id
    WHERE action = 'mode.set' AND s.position <= ${mark.position} ORDER BY s.position DESC LIMIT 1`.execute(
    db,
  )
  if (rows[0] && rows[0].mode !== mode)
    throw new Error(
      `The database says that this pool is ${mode}, and the audit trail says ${rows[0].mode}. Restore a backup.`,
    )
  const row = await db.selectFrom('pool_mode').select(['mode', 'set_at']).executeTakeFirstOrThrow()
  await owner.query('UPDATE pool_mode SET mac = $1', [keys.sign('pool mode', contentOf(row))])
}

/** Investors must never meet a copy of their pool, and rows of a rehearsal lie in the future. */
const requireServable = async (transaction: Kysely<Schema>): Promise<void> => {
  const found = await transaction.selectFrom('rehearsals').select('began_at').executeTakeFirst()
  if (!found) return
  throw new Error(
    found.began_at === null
      ? 'This database is a copy of a pool for a rehearsal, and is never served. Name another one in DATABASE_URL or DATA_DIR.'
      : 'The end of the pool was rehearsed in this database, whose dates lie in the future now. This cannot be undone, so it is never served. Name another one in DATABASE_URL or DATA_DIR, and delete this one.',
  )
}

const contentOf = ({ mode, set_at }: { readonly mode: Mode; readonly set_at: Date }): string =>
  JSON.stringify([mode, set_at.toISOString()])

const requireFirstStart = async (transaction: Kysely<Schema>, { askedMode }: Config) => {
  const { rows } = await sql<{ lost: boolean; started: boolean; funded: boolean }>`
    SELECT EXISTS (SELECT FROM audit_entries WHERE action = 'mode.set') AS lost,
      EXISTS (SELECT FROM user_roles WHERE role = 'SUPER_ADMIN') AS started,
      EXISTS (SELECT FROM audit_entries WHERE action = 'capital.contributed' AND actor = 'sandbox') AS funded`.execute(
    transaction,
  )
  const { lost, started, funded } = rows[0] ?? {}
  if (lost)
    throw new Error(
      'The mode of this pool was removed from the database, though the audit trail has it. Restore a backup.',
    )
  // Every sandbox got its play capital at its first start.
  if (askedMode === undefined && started && !funded)
    throw new Error(
      'This database is older than the mode on record, and holds no play capital. Set POOL_MODE to live once, or to sandbox if it is one. The mode is kept for good.',
    )
}
