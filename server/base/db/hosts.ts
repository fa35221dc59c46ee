import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { urlsOf } from '../configuration/databaseUrls.ts'
import { isUnreachable, READ_ONLY } from './errors.ts'

/** Milliseconds for one attempt to connect. */
const ATTEMPT_MS = 2_000
/** Milliseconds between attempts. */
const PAUSE_MS = 100
/** Milliseconds of repeated attempts after a first failure: most fail-overs end within. */
const ATTEMPTS_MS = 10_000

const addressesOf = (address: pg.PoolConfig): readonly pg.PoolConfig[] =>
  address.connectionString === undefined
    ? [address]
    : urlsOf(address.connectionString).map((connectionString) => ({ ...address, connectionString }))

/** Throws for a host that a pool does not want. */
type Admit = (client: pg.ClientBase) => Promise<void>

/**
 * The settings of a pool whose connections go to the one of several hosts that `admit` accepts. A
 * failed attempt makes the next one go to the next host.
 */
export const towards = (address: pg.PoolConfig, admit: Admit | undefined): pg.PoolConfig => {
  const addresses = addressesOf(address)
  let turn = 0
  const leaves = new WeakMap<object, () => void>()

  class HostClient extends pg.Client {
    constructor(options?: pg.ClientConfig) {
      const own = turn
      const host = addresses[own % addresses.length]
      super({ ...options, ...host, connectionTimeoutMillis: ATTEMPT_MS })
      const leave = () => {
        if (turn === own) turn += 1
      }
      leaves.set(this, leave)
      this.connection.once('end', leave)
      this.once('connect', () => this.connection.off('end', leave))
    }
  }
  const onConnect = async (client: pg.ClientBase): Promise<void> => {
    try {
      await admit?.(client)
    } catch (error) {
      leaves.get(client)?.()
      throw error
    }
  }
  return { ...address, Client: HostClient, ...(admit && { onConnect }) }
}

/** The settings of a pool whose connections go to the host that takes writes. */
export const primaryOnly = (address: pg.PoolConfig): pg.PoolConfig =>
  // A single host may be read-only: its readers still get answers.
  towards(address, addressesOf(address).length > 1 ? requireWrites : undefined)

const requireWrites: Admit = async (client) => {
  const { rows } = await client.query('SHOW transaction_read_only')
  if (rows[0].transaction_read_only === 'off') return
  throw Object.assign(new Error('this host takes no writes'), { code: READ_ONLY })
}

/**
 * Repeats a failed attempt to connect for 10 seconds from the first failure, once for all who wait.
 * Those who ask later in an outage have one attempt, so that they do not wait for nothing.
 */
export const repeatAttempts = (pool: pg.Pool): void => {
  const attempt: () => Promise<pg.PoolClient> = pool.connect.bind(pool)
  let failingSince: number | undefined
  let repeating: Promise<void> | undefined

  const mayRepeat = (error: unknown): boolean => {
    if (pool.ending || !isUnreachable(error)) return false
    failingSince ??= performance.now()
    return performance.now() - failingSince <= ATTEMPTS_MS
  }
  const repeat = async (): Promise<void> => {
    for (;;)
      try {
        await wait(PAUSE_MS)
        const client = await attempt()
        return client.release()
      } catch (error) {
        if (!mayRepeat(error)) throw error
      }
  }
  const connect = async (): Promise<pg.PoolClient> => {
    for (;;) {
      await repeating
      try {
        const client = await attempt()
        failingSince = undefined
        return client
      } catch (error) {
        if (!mayRepeat(error)) throw error
        repeating ??= repeat().finally(() => {
          repeating = undefined
        })
      }
    }
  }
  type Done = Parameters<pg.Pool['connect']>[0]
  // A listener of the jobs' library releases twice when its connection ends while it lets it go.
  const releaseOnce = (client: pg.PoolClient) => {
    let isHeld = true
    return (destroy?: boolean) => {
      if (isHeld) client.release(destroy)
      isHeld = false
    }
  }
  const connectFor = (done: Done): void =>
    void connect().then(
      (client) => done(undefined, client, releaseOnce(client)),
      (error) => done(error, undefined, () => undefined),
    )
  pool.connect = ((done?: Done) => (done ? connectFor(done) : connect())) as pg.Pool['connect']
}
