/**
 * The stream of changes (contract/changes.ts), kept open while the page can be seen; loaded on
 * demand.
 */
import {
  CHANGES_EVENT,
  type Change,
  changeStream,
  HEARTBEAT_MS,
  INVALIDATE_EVENT,
} from '@pool/contract/changes'
import { createParser } from 'eventsource-parser'
import { readToken } from './http/bearer.ts'
import { refused } from './http/client.ts'
import { ApiError } from './http/errors.ts'
import { asNumber, asText, list, or, record, type Shape } from './http/reading.ts'
import { urlOf } from './http/url.ts'

const readChange = record({
  noun: or(asText, ''),
  id: asText,
  userId: asText,
  type: asText,
  status: asText,
  amount: asNumber,
} satisfies Shape<Extract<Change, { readonly id: string }>>)

/**
 * A row that was added or has changed its state; null where the server sent nothing. Amount in
 * dollars.
 */
export type ChangeRow = ReturnType<typeof readChange>

type Followed = {
  readonly onChanges: (changes: readonly ChangeRow[]) => void
  /** Changes may have been missed: everything shown is to be loaded again. */
  readonly onInvalidate: () => void
}

/** Longer than this, in milliseconds, a living stream is never silent. */
const LONGEST_SILENCE = 2.5 * HEARTBEAT_MS
/**
 * The pause before the stream is opened again, in milliseconds: each time twice as long, up to the
 * limit, and for each browser a different one.
 */
const RETRY = 1_000
const RETRY_LIMIT = 30_000

const readChanges = (data: string): readonly ChangeRow[] => list(readChange)(JSON.parse(data))

/** Whether there is anybody to show something to, and a way to hear of it. */
const isHere = (): boolean => !document.hidden && navigator.onLine

/**
 * Resolves once `condition` holds, looked at whenever the page is shown or hidden, or the browser
 * goes on or off line; or when it is called off.
 */
const once = (condition: () => boolean, calledOff: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const settled = new AbortController()
    const look = () => {
      if (!condition() && !calledOff.aborted) return
      settled.abort()
      resolve()
    }
    document.addEventListener('visibilitychange', look, settled)
    for (const type of ['online', 'offline']) window.addEventListener(type, look, settled)
    calledOff.addEventListener('abort', look, settled)
    look()
  })

const pause = (attempt: number, calledOff: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(
      resolve,
      Math.min(RETRY_LIMIT, RETRY * 2 ** attempt) * (0.5 + Math.random() / 2),
    )
    calledOff.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })

/**
 * Throws an {@link ApiError} when the server does not answer a stream. A 401 ends the session, as
 * on every call (docs/product.md 8.8).
 */
const open = async (signal: AbortSignal): Promise<ReadableStream<string>> => {
  const token = readToken()
  const response = await fetch(urlOf(changeStream), {
    method: changeStream.method,
    headers: { accept: 'text/event-stream', authorization: `Bearer ${token}` },
    credentials: 'omit',
    cache: 'no-store',
    signal,
  })
  const { ok, status, headers, body } = response
  if (ok && body && headers.get('content-type')?.startsWith('text/event-stream'))
    return body.pipeThrough(new TextDecoderStream())
  throw refused(changeStream, {
    status,
    text: await response.text(),
    token,
    texts: { otherwise: '' },
  })
}

/** A server that is there and says no, or has no such stream, is not asked again. */
const isFinal = (error: unknown): boolean =>
  error instanceof ApiError && error.status !== null && error.status < 500 && error.status !== 429

/**
 * Opens the stream and reads it to its end, or until nothing comes any more. `onOpen` is told that
 * it has begun.
 */
const readOnce = async (
  { onChanges, onInvalidate }: Followed,
  connection: AbortController,
  onOpen: () => void,
): Promise<void> => {
  let silence: ReturnType<typeof setTimeout> | undefined
  const beSilentFor = (milliseconds: number) => {
    clearTimeout(silence)
    silence = setTimeout(() => connection.abort(), milliseconds)
  }
  const parser = createParser({
    onEvent: ({ event, data }) => {
      if (event === CHANGES_EVENT) onChanges(readChanges(data))
      if (event === INVALIDATE_EVENT) onInvalidate()
    },
  })
  try {
    beSilentFor(LONGEST_SILENCE)
    const reader = (await open(connection.signal)).getReader()
    onOpen()
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      beSilentFor(LONGEST_SILENCE)
      parser.feed(part.value)
    }
  } finally {
    clearTimeout(silence)
  }
}

const keepFollowing = async (followed: Followed, over: AbortSignal): Promise<void> => {
  let attempt = 0
  for (let again = false; !over.aborted; again = true) {
    await once(isHere, over)
    const connection = new AbortController()
    const endConnection = () => connection.abort()
    over.addEventListener('abort', endConnection)
    void once(() => !isHere(), connection.signal).then(endConnection)
    const opened = () => {
      attempt = 0
      if (again) followed.onInvalidate()
    }
    try {
      if (!over.aborted) await readOnce(followed, connection, opened)
    } catch (error) {
      if (isFinal(error)) return
    } finally {
      endConnection()
      over.removeEventListener('abort', endConnection)
    }
    if (isHere() && !over.aborted) await pause(attempt++, over)
  }
}

/**
 * Follows the changes of the signed-in user, opening the stream again whenever it is lost. Returns
 * the way out.
 */
export const followChanges = (followed: Followed): (() => void) => {
  const over = new AbortController()
  void keepFollowing(followed, over.signal)
  return () => over.abort()
}
