import { setTimeout as wait } from 'node:timers/promises'
import { type Change, HEARTBEAT_MS } from '@pool/contract/changes'
import pg from 'pg'
import type { Log } from '../process/log.ts'
import { CHANNEL, readNotice } from './change.ts'
import { rememberRecent } from './recent.ts'

/**
 * What a follower hears: what changed; that changes may have been missed; that a session of the
 * user was ended, so this one may be.
 */
export type News = { readonly changes: readonly Change[] } | 'invalidate' | 'sessionEnded'

export type Follower = {
  readonly userId: string
  /** Whether everybody's changes are heard, or only those of the user's own rows. */
  readonly everything: boolean
  readonly hear: (news: News) => void
}

/**
 * Where what the database tells of every node's commits is passed on to whoever follows it in this
 * process.
 */
export type Hub = {
  /** From now on the follower hears. Returns the way out. */
  readonly follow: (follower: Follower) => () => void
  /**
   * How often a stream shows that it lives, and the connection is asked whether it does, in
   * milliseconds.
   */
  readonly heartbeat: number
  /** How many follow at this moment. */
  readonly following: () => number
  readonly stop: () => Promise<void>
}

/**
 * How soon a connection that was lost is opened again, in milliseconds; each time twice as long, up
 * to the limit.
 */
const RETRY = 100
const RETRY_LIMIT = 5_000

/**
 * Listens to the database on a connection of its own from the first follower on. Opens a lost one
 * again; changes of the meantime are missed, so every follower is then told to invalidate.
 */
export const openHub = (pool: pg.Pool, log: Log, { heartbeat = HEARTBEAT_MS } = {}): Hub => {
  const followers = followersByUser()
  const recent = rememberRecent()
  const stopping = new AbortController()
  let listening: Promise<void> | undefined

  const onNotification = ({ payload = '' }: pg.Notification): void => {
    try {
      const { changes, endedSessionsOf } = readNotice(payload)
      for (const { owner } of changes) recent.note(owner)
      if (changes.length > 0) followers.tell(changes)
      for (const userId of endedSessionsOf)
        for (const { hear } of followers.of(userId)) hear('sessionEnded')
    } catch (err) {
      log.error({ err }, 'a notification of the database cannot be read')
    }
  }

  /** Listens until the connection is lost. Throws when there is none to be had. */
  const listenOnce = async (onConnected: () => void): Promise<void> => {
    const client = new pg.Client(pool.options)
    const lost = new Promise<void>((resolve) => client.once('end', resolve))
    client.on(
      'error',
      ({ message }) =>
        stopping.signal.aborted ||
        log.warn({ reason: message }, 'the connection that hears of changes was lost'),
    )
    client.on('notification', onNotification)
    const end = () => void client.end().catch(() => undefined)
    // A connection can be dead without either side having been told. Listening again changes
    // nothing, but it has to be answered.
    const ask = () =>
      client.query({ text: `LISTEN ${CHANNEL}`, query_timeout: heartbeat } as pg.QueryConfig)
    const asking = setInterval(() => void ask().catch(end), heartbeat)
    stopping.signal.addEventListener('abort', end)
    try {
      await client.connect()
      await ask()
      onConnected()
      await lost
    } finally {
      clearInterval(asking)
      stopping.signal.removeEventListener('abort', end)
      end()
    }
  }

  const keepListening = async (): Promise<void> => {
    let pause = RETRY
    while (!stopping.signal.aborted) {
      const connected = () => {
        pause = RETRY
        recent.begin()
        for (const { hear } of followers.all()) hear('invalidate')
      }
      await listenOnce(connected).catch((err: unknown) =>
        log.warn({ err }, 'the database cannot be listened to yet'),
      )
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

/** The followers, found by user without going through all of them. */
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
     * Passes changes on: to those who follow everything, and to each owner theirs; what concerns
     * everybody to everybody.
     */
    tell: (owned: readonly Owned[]) => {
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
