import { setTimeout as wait } from 'node:timers/promises'
import { type Change, HEARTBEAT_MS } from '@pool/contract/base/changes'
import type pg from 'pg'
import type { Database } from '../../base/db/connection.ts'
import { isUnavailable } from '../../base/db/errors.ts'
import type { Log } from '../../base/process/log.ts'
import { CHANNEL, readNotice } from './change.ts'
import { rememberRecent } from './recent.ts'

/**
 * News for a follower: changes, an invalidation after missed ones, or a start or an end among the
 * user's sessions.
 */
export type News = { readonly changes: readonly Change[] } | 'invalidate' | 'sessions'

export type Follower = {
  readonly userId: string
  /** True for all users' changes, false for the user's own. */
  readonly everything: boolean
  readonly hear: (news: News) => void
}

/** Passes the database's notifications of all nodes to this process's followers. */
export type Hub = {
  /** Adds a follower. Returns a function that removes it. */
  readonly follow: (follower: Follower) => () => void
  /** Milliseconds between heartbeats of streams, and between checks of the connection. */
  readonly heartbeat: number
  /** Number of followers. */
  readonly following: () => number
  readonly stop: () => Promise<void>
}

/** Milliseconds before a lost connection is reopened. Doubles up to the limit. */
const RETRY = 100
const RETRY_LIMIT = 5_000

/**
 * Listens on its own connection from the first follower on, and reopens it when lost. Missed
 * notifications are gone, so each follower is then told to invalidate.
 */
export const openHub = (
  { direct, outages }: Pick<Database, 'direct' | 'outages'>,
  log: Log,
  { heartbeat = HEARTBEAT_MS } = {},
): Hub => {
  // Long: listening, reopening and following are short functions that share its state.
  const followers = followersByUser()
  const recent = rememberRecent()
  const stopping = new AbortController()
  let listening: Promise<void> | undefined

  const onNotification = ({ payload = '' }: pg.Notification): void => {
    try {
      const { changes, sessionsOf, noticesOf } = readNotice(payload)
      for (const { owner } of changes) recent.note(owner)
      for (const userId of noticesOf) recent.note(userId)
      if (changes.length > 0) followers.send(changes)
      for (const userId of sessionsOf) for (const { hear } of followers.of(userId)) hear('sessions')
      for (const userId of noticesOf)
        for (const { hear } of followers.of(userId)) hear({ changes: [{ noun: 'notice' }] })
    } catch (err) {
      log.error({ err }, 'unreadable notification of the database')
    }
  }

  const onFailure = (err: unknown): void => {
    if (stopping.signal.aborted) return
    if (isUnavailable(err)) outages.failed('changes', err)
    else log.warn({ err }, 'cannot listen to the database yet')
  }

  /** Listens until the connection is lost. Throws when it cannot connect. */
  const listenOnce = async (onConnected: () => void): Promise<void> => {
    const client = await direct.connect()
    const lost = new Promise<void>((resolve) => client.once('end', resolve))
    client.on('error', onFailure)
    client.on('notification', onNotification)
    const end = () => void client.connection.stream.destroy()
    // Finds dead connections: a repeated LISTEN changes nothing but needs a response.
    const ask = () =>
      client.query({ text: `LISTEN ${CHANNEL}`, query_timeout: heartbeat } as pg.QueryConfig)
    const asking = setInterval(() => void ask().catch(end), heartbeat)
    stopping.signal.addEventListener('abort', end)
    try {
      if (stopping.signal.aborted) return
      await ask()
      onConnected()
      await lost
    } finally {
      clearInterval(asking)
      stopping.signal.removeEventListener('abort', end)
      client.release(true)
    }
  }

  const keepListening = async (): Promise<void> => {
    let pause = RETRY
    while (!stopping.signal.aborted) {
      const connected = () => {
        pause = RETRY
        outages.answered('changes')
        recent.begin()
        for (const { hear } of followers.all()) hear('invalidate')
      }
      await listenOnce(connected).catch(onFailure)
      await wait(pause, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
      pause = Math.min(2 * pause, RETRY_LIMIT)
    }
  }

  return {
    heartbeat,
    follow: (follower) => {
      listening ??= keepListening()
      if (recent.mayHaveChanged(follower.userId, follower.everything)) follower.hear('invalidate')
      return followers.add(follower)
    },
    following: () => followers.all().length,
    stop: async () => {
      stopping.abort()
      await listening
    },
  }
}

type Owned = { readonly owner: string | null; readonly change: Change }

/** Followers, indexed by user. */
const followersByUser = () => {
  const byUser = new Map<string, Set<Follower>>()
  const ofEverything = new Set<Follower>()
  const of = (userId: string): readonly Follower[] => [...(byUser.get(userId) ?? [])]

  const all = (): readonly Follower[] => [...byUser.values()].flatMap((each) => [...each])

  return {
    of,
    all,
    add: (follower: Follower) => {
      const { userId, everything } = follower
      byUser.set(userId, (byUser.get(userId) ?? new Set()).add(follower))
      if (everything) ofEverything.add(follower)
      return () => {
        ofEverything.delete(follower)
        byUser.get(userId)?.delete(follower)
        if (byUser.get(userId)?.size === 0) byUser.delete(userId)
      }
    },
    /**
     * Passes changes to followers of everything, and to each owner. A null owner means all users.
     */
    send: (owned: readonly Owned[]) => {
      const everything = { changes: owned.map(({ change }) => change) }
      for (const { hear } of [...ofEverything]) hear(everything)
      for (const [owner, theirs] of Map.groupBy(owned, ({ owner }) => owner)) {
        const own = { changes: theirs.map(({ change }) => change) }
        for (const { everything, hear } of owner === null ? [] : of(owner))
          if (!everything) hear(own)
      }
      const ofAll = {
        changes: owned.flatMap(({ change }) => (change.noun === 'pause' ? [change] : [])),
      }
      if (ofAll.changes.length > 0)
        for (const { everything, hear } of all()) if (!everything) hear(ofAll)
    },
  }
}
