import { Readable } from 'node:stream'
import { CHANGES_EVENT, type Change, INVALIDATE_EVENT } from '@pool/contract/base/changes'
import { isUnavailable } from '../../base/db/errors.ts'
import type { Hub, News } from './hub.ts'

/** An open stream of changes, as `text/event-stream`. */
export type ChangeStream = { readonly readable: Readable; readonly end: () => void }

type Options = {
  readonly hub: Hub
  readonly userId: string
  /** Staff receive all users' changes in batches, others their own at once. */
  readonly everything: boolean
  /**
   * True while the session may follow. The check does not prolong it. Throws while the database is
   * away.
   */
  readonly mayGoOn: () => Promise<boolean>
}

/** Most bytes that wait for a reader. A slower one is dropped, reconnects and invalidates. */
const BACKLOG_LIMIT = 64 * 1_024
/** Milliseconds over which staff's changes are batched into one event. */
const BATCH_MS = 1_000
/** Most changes listed in one event. More are sent as an event that invalidates all. */
const MOST_LISTED = 200

/** A comment, so that readers and proxies see a living connection. */
const STILL_HERE = ': still here\n\n'

const event = (name: string, data: unknown): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
const changesEvent = (changes: readonly Change[]): string =>
  changes.length > MOST_LISTED ? event(INVALIDATE_EVENT, null) : event(CHANGES_EVENT, changes)

/** Opens a stream that follows at once, until it ends or its reader leaves. */
export const openStream = ({ hub, userId, everything, mayGoOn }: Options): ChangeStream => {
  const readable = new Readable({ read: () => undefined })
  const batch = batcher((changes) => write(changesEvent(changes)))
  let ended = false
  /** The session could not be looked up, so that nothing is told until it is. */
  let isUnsure = false

  const stop = () => {
    ended = true
    unfollow()
    batch.stop()
    clearInterval(beating)
  }
  const end = () => {
    if (ended) return
    stop()
    readable.push(null)
  }
  const write = (text: string) => {
    if (ended) return
    if (readable.readableLength + text.length > BACKLOG_LIMIT) readable.destroy()
    else readable.push(text)
  }
  const look = async (line = STILL_HERE) => {
    const answer = await mayGoOn().catch((error: unknown) => isUnavailable(error) && 'unsure')
    if (answer === false) return end()
    if (answer === 'unsure') write(STILL_HERE)
    else write(isUnsure ? event(INVALIDATE_EVENT, null) : line)
    isUnsure = answer === 'unsure'
  }
  const hear = (news: News) => {
    if (news === 'sessions') void look(changesEvent([{ noun: 'session' }]))
    else if (isUnsure) return
    else if (news === 'invalidate') write(event(INVALIDATE_EVENT, null))
    else if (everything) batch.add(news.changes)
    else write(changesEvent(news.changes))
  }

  const beating = setInterval(() => void look(), hub.heartbeat)
  const unfollow = hub.follow({ userId, everything, hear })
  readable.once('close', stop)
  // Sends the headers at once, and notices a session that ended meanwhile.
  void look()
  return { readable, end }
}

/** Batches changes for {@link BATCH_MS} after the first. */
const batcher = (pass: (changes: readonly Change[]) => void) => {
  let waiting: Change[] = []
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    timer = undefined
    pass(waiting)
    waiting = []
  }
  return {
    add: (changes: readonly Change[]) => {
      // Stops at the limit, since more changes still invalidate once.
      if (waiting.length <= MOST_LISTED) waiting.push(...changes)
      timer ??= setTimeout(flush, BATCH_MS)
    },
    stop: () => clearTimeout(timer),
  }
}
