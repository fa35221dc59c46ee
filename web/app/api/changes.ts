/**
 * Follows the stream of changes (contract/base/changes.ts) while the page is visible. Loaded on
 * demand.
 */
import {
  CHANGES_EVENT,
  type Change,
  changeStream,
  HEARTBEAT_MS,
  INVALIDATE_EVENT,
} from '@pool/contract/base/changes'
import { createParser } from 'eventsource-parser'
import { readToken } from './http/bearer.ts'
import { refused } from './http/client.ts'
import { ApiError } from './http/errors.ts'
import { asNumber, asText, list, or, record, type Shape } from './http/reading.ts'
import { probe } from './http/reconnect.ts'
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
 * A row that was added or got another status; null for a field that was not sent. Amount in
 * dollars.
 */
export type ChangeRow = ReturnType<typeof readChange>

type Followed = {
  readonly onChanges: (changes: readonly ChangeRow[]) => void
  /** Some changes may have been missed, so everything on the screen is stale. */
  readonly onInvalidate: () => void
}

/** A stream that is silent for longer is dead. */
const SILENCE_TIMEOUT_MS = 2.5 * HEARTBEAT_MS
/** The delay before the stream is opened again doubles up to the limit, and varies by browser. */
const RETRY_MS = 1_000
const RETRY_LIMIT_MS = 30_000

const readChanges = (data: string): readonly ChangeRow[] => list(readChange)(JSON.parse(data))

/** True while the page is visible and the browser is online. */
const isHere = (): boolean => !document.hidden && navigator.onLine

/** Resolves once `condition` holds, or at the abort. Visibility and network events check it. */
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

const delay = (attempt: number, calledOff: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(
      resolve,
      Math.min(RETRY_LIMIT_MS, RETRY_MS * 2 ** attempt) * (0.5 + Math.random() / 2),
    )
    calledOff.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })

/**
 * Throws an {@link ApiError} when the server sends no stream. A 401 ends the session
 * (docs/product.md 8.8).
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

/** The server refuses for good, so the client stops trying. */
const isFinal = (error: unknown): boolean =>
  error instanceof ApiError && error.status !== null && error.status < 500 && error.status !== 429

/** Reads one stream to its end, or until it is silent for too long. Calls `onOpen` at its start. */
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
    beSilentFor(SILENCE_TIMEOUT_MS)
    const reader = (await open(connection.signal)).getReader()
    onOpen()
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      beSilentFor(SILENCE_TIMEOUT_MS)
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
      // Fetch throws this without a server. A silent stream throws something else.
      if (error instanceof TypeError && !over.aborted) void probe()
    } finally {
      endConnection()
      over.removeEventListener('abort', endConnection)
    }
    if (isHere() && !over.aborted) await delay(attempt++, over)
  }
}

/**
 * Follows the changes of the signed-in user and opens the stream again when it is lost. Returns a
 * function that stops it.
 */
export const followChanges = (followed: Followed): (() => void) => {
  const over = new AbortController()
  void keepFollowing(followed, over.signal)
  return () => over.abort()
}
