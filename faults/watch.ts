/**
 * The watcher, a process of its own. It reads the database past the product repeatedly and writes
 * each look to a file as a line of JSON. It strikes nothing and calls no product.
 */
import { appendFileSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { connect } from '../server/base/db/connection.ts'
import { openLog } from '../server/base/process/log.ts'
import { brokenInvariants, illegalMoves, readStates, type States } from './invariants.ts'

export type WatchPlan = {
  /** The URL of the database. */
  readonly database: string
  readonly file: string
  /** True when a fault takes back what was committed without an acknowledgement. */
  readonly takesBack?: boolean
}

/**
 * A look: its beginning and end in milliseconds since 1970, and its findings or the reason for
 * none.
 */
export type Look = {
  readonly began: number
  readonly ended: number
  readonly found?: readonly string[]
  readonly blind?: string
}

/** The least time between two looks, in milliseconds. */
const LOOK_INTERVAL_MS = 50
/**
 * The idle time after a look, as a multiple of the look, so that looking takes little CPU.
 */
const IDLE_FACTOR = 3
/** The longest idle time, since a look can take as long as the database is away. */
const LONGEST_IDLE_MS = 1_000

const { database: url, file, takesBack } = JSON.parse(readFileSync(0, 'utf8')) as WatchPlan

let stopping = false
process.once('SIGTERM', () => {
  stopping = true
})
process.once('disconnect', () => process.exit())
process.channel?.unref()

const database = connect({ connectionString: url }, 1, openLog('silent'))
// It has its own name, so strikes at the product's connections spare it.
database.pool.on(
  'connect',
  (client) =>
    void client.query("SET application_name = 'watcher of the fault suite'").catch(() => undefined),
)

let seen: States = new Map()
const look = async (): Promise<readonly string[]> => {
  const found = await brokenInvariants(database)
  const states = await readStates(database)
  const moved = takesBack ? [] : illegalMoves(seen, states)
  seen = states
  return [...found, ...moved]
}

while (!stopping) {
  const began = Date.now()
  const saw = await look().then(
    (found) => ({ found }),
    (error: unknown) => ({ blind: error instanceof Error ? error.message : String(error) }),
  )
  const ended = Date.now()
  appendFileSync(file, `${JSON.stringify({ began, ended, ...saw } satisfies Look)}\n`)
  await wait(Math.max(LOOK_INTERVAL_MS, Math.min(IDLE_FACTOR * (ended - began), LONGEST_IDLE_MS)))
}
await database.close()
