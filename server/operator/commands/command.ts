import { type Config, readConfig } from '../../base/configuration/config.ts'
import { type Database, openDatabase } from '../../base/db/connection.ts'
import { migrate } from '../../base/db/migrate.ts'
import { findKeys, openKeys } from '../../base/keys/keyFile.ts'
import type { Keys } from '../../base/keys/keys.ts'
import { holdsCluster } from '../../base/postgres/files.ts'
import { ownName } from '../../base/process/systemUser.ts'
import type { Actor } from '../../base/sessions/actor.ts'
import { FROM_OPERATOR } from '../../records/audit/record.ts'
import { configOfCommand } from '../../records/mode/mode.ts'
import { migrateJobs } from '../jobs/migrateJobs.ts'
import { UsageError } from './arguments.ts'
import { commandLog, note } from './output.ts'
import { placeOf, requireDatabase, requirePool } from './pool.ts'

/** The operator as an actor in the audit trail, by system user name. */
export const operator = (): Actor => ({
  name: `operator ${ownName() ?? `user ${process.getuid?.()}`}`,
  from: FROM_OPERATOR,
})

/** Prints the error and sets the exit code: 2 for a wrong call, else 1. */
export const endCommand = (error: unknown): void => {
  process.exitCode = error instanceof UsageError ? 2 : 1
  note(sentenceOf(error))
}

/** A host with two addresses fails with an error of several, which has no message of its own. */
const sentenceOf = (error: unknown): string => {
  if (error instanceof AggregateError && error.message === '')
    return error.errors.map(sentenceOf).join('\n')
  return error instanceof Error ? error.message : String(error)
}

/** The opened database of a command. The keys are read at their first use. */
export type Opened = Database & { readonly keys: Keys }

/** The work of a command once the database is open. */
export type Work = (product: Opened, config: Config) => Promise<void>

/**
 * Needs of a command: a pool, a database that may lack one, or nothing. With `nothing` it makes a
 * database and keys, as a first start does.
 */
export type Needs = 'pool' | 'database' | 'nothing'

/**
 * Runs one operator command, also while the product runs. `plan` reads the arguments first. Exits
 * with 0, with 1 after printing an error, or with 2 for a wrong call. Names the place that it uses.
 */
export const runCommand = async (plan: () => Work, needs: Needs = 'pool'): Promise<void> => {
  let database: Database | undefined
  try {
    const work = plan()
    const config = readConfig(process.env)
    if (needs !== 'nothing') requireDatabase(config)
    note(`Pool: ${placeOf(config)}`)
    database = await open(config)
    if (needs === 'pool') await requirePool(database, config)
    const ofPool = await configOfCommand(database, config)
    await migrate(database)
    await migrateJobs(database)
    const keysOf = needs === 'nothing' ? openKeys : findKeys
    const opened = {
      ...database,
      get keys() {
        return keysOf(config)
      },
    }
    await work(opened, ofPool)
  } catch (error) {
    endCommand(error)
  } finally {
    await database?.close()
  }
}

const open = (config: Config): Promise<Database> => {
  const isThere = config.databaseUrl !== undefined || holdsCluster(config.dataDir)
  return openDatabase(config, { log: commandLog(), role: isThere ? 'operator' : 'server' })
}
