import type { NetworkName } from '@pool/contract/base/networks'
import { sql } from 'kysely'
import type pg from 'pg'
import type { ChainSettings } from '../../base/configuration/chainsFile.ts'
import { onSession } from '../../base/db/session.ts'
import { LOCKS, type LockName } from '../../base/locks.ts'
import type { Job } from '../../base/process/job.ts'
import type { Log } from '../../base/process/log.ts'
import type { WithConfig, WithKeys, WithLedger } from '../../http/context.ts'
import { yieldToLedger } from './brake.ts'
import type { Followed } from './follow.ts'
import { networkJobs } from './networkJobs.ts'
import { openNode } from './open.ts'
import { listenForBlocks } from './push.ts'
import { pollNode } from './states.ts'

type Kept = Followed & {
  isBusy: boolean
  /** True when another look was asked for during one. */
  isAsked: boolean
}

/** The nodes of this process, which remember what they read. */
const kept = new WeakMap<ChainSettings, Kept>()

type FollowingContext = WithKeys & WithLedger & WithConfig

const keptOf = (
  settings: ChainSettings,
  { config, keys, ledger }: FollowingContext,
  stopping: AbortSignal,
): Kept => {
  const known = kept.get(settings)
  if (known?.stopping === stopping) return known
  const node = openNode(settings, { stopping })
  const made = {
    settings,
    node,
    pricing: config,
    keys,
    receivers: new Map(),
    brake: yieldToLedger(ledger.busyMs, stopping),
    stopping,
    isBusy: false,
    isAsked: false,
  }
  kept.set(settings, made)
  return made
}

export const nodeJobs: readonly Job<FollowingContext>[] = networkJobs(
  'chain',
  async (context, settings, { log, stopping, session, leaveUndone }) => {
    const followed = keptOf(settings, context, stopping)
    // A node that stalls takes one place of the jobs.
    followed.isAsked = true
    if (followed.isBusy) return leaveUndone()
    followed.isBusy = true
    try {
      while (followed.isAsked && !stopping.aborted) {
        followed.isAsked = false
        const isHeld = await withLock(settings.network, session, (client) =>
          pollOnce(client, followed, log),
        )
        if (!isHeld) leaveUndone()
      }
    } finally {
      followed.isBusy = false
    }
  },
  (settings, ask, ended) => {
    if (settings.kind === 'evm' && settings.pushUrl !== undefined)
      listenForBlocks(settings.pushUrl, ask, ended)
  },
)

const pollOnce = async (client: pg.PoolClient, followed: Followed, log: Log): Promise<void> => {
  const { network } = followed.settings
  const { state, words, changed } = await pollNode(onSession(client), followed)
  if (!changed) return
  if (state === 'FINE') log.info({ network }, 'the node of a network is fine')
  else log.warn({ network, state, words }, 'the node of a network needs a look')
}

/**
 * Works while a session holds the network's lock, or not at all while another node of the product
 * has it. Writes go through the session, so nothing is written once the lock is lost.
 */
export const withLock = async (
  network: NetworkName,
  session: () => Promise<pg.PoolClient>,
  work: (client: pg.PoolClient) => Promise<void>,
  lock: LockName = 'followers',
): Promise<boolean> => {
  const client = await session()
  let ended: Error | undefined
  try {
    const db = onSession(client)
    const { rows } = await sql<{ held: boolean }>`
      SELECT pg_try_advisory_lock(${LOCKS[lock]}, hashtext(${network})) AS held`.execute(db)
    if (!rows[0]?.held) return false
    await work(client)
    await sql`SELECT pg_advisory_unlock(${LOCKS[lock]}, hashtext(${network}))`.execute(db)
    return true
  } catch (error) {
    ended = error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    // A session that failed is closed, and its lock with it.
    client.release(ended)
  }
}
