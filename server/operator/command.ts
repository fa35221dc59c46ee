import { userInfo } from 'node:os'
import { FROM_OPERATOR } from '../audit/record.ts'
import type { Head } from '../audit/seal.ts'
import { type Config, readConfig } from '../config.ts'
import { type Database, openDatabase } from '../db/connection.ts'
import { migrate } from '../db/migrate.ts'
import { openKeys } from '../keys/keyFile.ts'
import type { Keys } from '../keys/keys.ts'
import { openLog } from '../process/log.ts'
import type { Actor } from '../sessions/actor.ts'

/** The operator, as the record names whoever runs a command on this machine. */
export const operator = (): Actor => ({
  name: `operator ${userInfo().username}`,
  from: FROM_OPERATOR,
})

/** A mistake in how a command was called: its message is the usage. */
export class UsageError extends Error {}

export const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** Lets the process end with what went wrong: 2 for a wrong call, else 1. */
export const endCommand = (error: unknown): void => {
  process.exitCode = error instanceof UsageError ? 2 : 1
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
}

/**
 * A head of the audit chain as it is logged, a position and a hash; undefined when the text is
 * none.
 */
export const headFrom = (text: string): Head | undefined => {
  const [, position, hash] = /^(\d{1,18}) ([0-9a-f]{64})$/.exec(text) ?? []
  return position === undefined || hash === undefined
    ? undefined
    : { position: BigInt(position), hash }
}

/** The product as a command has it. */
export type Opened = Database & { readonly keys: Keys }

/** What a command does once the database is open. */
export type Work = (product: Opened, config: Config) => Promise<void>

/**
 * Runs one operator's command on the database, whether or not the product is running. `plan` reads
 * the arguments first, so that a wrong call touches nothing. Ends the process with 0, or prints
 * what is wrong and ends it with 1 (2 for a wrong call).
 */
export const runCommand = async (plan: () => Work): Promise<void> => {
  let database: Database | undefined
  try {
    const work = plan()
    const config = readConfig(process.env)
    database = await openDatabase(config, { log: openLog('warn'), role: 'operator' })
    await migrate(database)
    await work({ ...database, keys: openKeys(config) }, config)
  } catch (error) {
    endCommand(error)
  } finally {
    await database?.close()
  }
}
