/**
 * The watcher of the fault suite: a process of its own that looks at the database past the product,
 * again and again, and writes what it saw to a file, a line of JSON for each look. It strikes
 * nothing and asks the product for nothing.
 */
import { appendFileSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { connect } from '../server/db/connection.ts'
import { openLog } from '../server/process/log.ts'
import { brokenInvariants, illegalMoves, readStates, type States } from './invariants.ts'
import type { Address } from './plan.ts'

export type WatchPlan = { readonly database: Address; readonly file: string }

/**
 * A look: when it began and ended, in milliseconds since 1970; what it found, or why it saw
 * nothing.
 */
export type Look = {
  readonly began: number
  readonly ended: number
  readonly found?: readonly string[]
  readonly blind?: string
}

/** The least pause between two looks, in milliseconds. */
const PAUSE = 50
/**
 * A look is followed by so many times its own length of rest, so that looking takes little of the
 * machine however much there is to see.
 */
const REST = 3

const { database: address, file } = JSON.parse(readFileSync(0, 'utf8')) as WatchPlan

let stopping = false
process.once('SIGTERM', () => {
  stopping = true
})
process.once('disconnect', () => process.exit())
process.channel?.unref()

const database = connect(address, 1, openLog('silent'))
// Under a name of its own: what strikes the product's connections does not strike this one.
database.pool.on(
  'connect',
  (client) =>
    void client.query("SET application_name = 'watcher of the fault suite'").catch(() => undefined),
)

let seen: States = new Map()
const look = async (): Promise<readonly string[]> => {
  const found = await brokenInvariants(database)
  const states = await readStates(database)
  const moved = illegalMoves(seen, states)
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
  await wait(Math.max(PAUSE, REST * (ended - began)))
}
await database.close()
