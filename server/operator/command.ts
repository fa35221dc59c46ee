import { userInfo } from 'node:os'
import { FROM_OPERATOR } from '../audit/record.ts'
import type { Head } from '../audit/seal.ts'
import { type Config, readConfig } from '../config.ts'
import { type Database, openDatabase } from '../db/connection.ts'
import { migrate } from '../db/migrate.ts'
import { migrateJobs } from '../jobs/migrateJobs.ts'
import { openKeys } from '../keys/keyFile.ts'
import type { Keys } from '../keys/keys.ts'
import { openLog } from '../process/log.ts'
import type { Actor } from '../sessions/actor.ts'

/** The operator as an actor in the audit trail, by system user name. */
export const operator = (): Actor => ({
  name: `operator ${userInfo().username}`,
  from: FROM_OPERATOR,
})

/** A wrong command call. Its message is the usage. */
export class UsageError extends Error {}

export const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** Prints the error and sets the exit code: 2 for a wrong call, else 1. */
export const endCommand = (error: unknown): void => {
  process.exitCode = error instanceof UsageError ? 2 : 1
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
}

/** Parses a logged audit head, `position hash`. Undefined for any other text. */
export const headFrom = (text: string): Head | undefined => {
  const [, position, hash] = /^(\d{1,18}) ([0-9a-f]{64})$/.exec(text) ?? []
  return position === undefined || hash === undefined
    ? undefined
    : { position: BigInt(position), hash }
}

/** The opened database and keys of a command. */
export type Opened = Database & { readonly keys: Keys }

/** The work of a command once the database is open. */
export type Work = (product: Opened, config: Config) => Promise<void>

/**
 * Runs one operator command, also while the product runs. `plan` reads the arguments first. Exits
 * with 0, with 1 after printing an error, or with 2 for a wrong call.
 */
export const runCommand = async (plan: () => Work): Promise<void> => {
  let database: Database | undefined
  try {
    const work = plan()
    const config = readConfig(process.env)
    database = await openDatabase(config, { log: openLog('warn'), role: 'operator' })
    await migrate(database)
    await migrateJobs(database)
    await work({ ...database, keys: openKeys(config) }, config)
  } catch (error) {
    endCommand(error)
  } finally {
    await database?.close()
  }
}
