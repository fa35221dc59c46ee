/**
 * The one fetch of the web app: an endpoint of the contract in, the interface layer's `{ success,
 * data, message }` out (docs/product.md 10.1, 9.1).
 */
import { type Endpoint, IDEMPOTENCY_HEADER } from '@pool/contract/endpoint'
import { health } from '@pool/contract/health'
import type { Page } from '@pool/contract/lists'
import { sessionMessages } from '@pool/contract/messages'
import { HEALTH_TIMEOUT_MS, storageKeys } from '@pool/contract/session'
import type { z } from 'zod'
import { endSession, readStored, readToken } from './bearer.ts'
import { cacheAnswer, findCached } from './cache.ts'
import {
  ApiError,
  type FailureKind,
  type FailureTexts,
  messageOfAnswer,
  messageOfKind,
} from './errors.ts'
import { asNumber, asRecord, asText } from './reading.ts'
import { apiHost, urlOf } from './url.ts'

export type Answer<Data> = { readonly success: true; readonly data: Data; readonly message: string }

/**
 * The answer of a call; a list that was asked for by pages says where it goes on
 * (contract/lists.ts).
 */
export type CallAnswer = Answer<unknown> & { readonly page: Page | null }

type Sent<E extends Endpoint> = E['payload'] extends z.ZodType
  ? { readonly payload: z.input<E['payload']> }
  : { readonly payload?: never }
type Asked<E extends Endpoint> = E['query'] extends z.ZodObject
  ? Record<never, never> extends z.input<E['query']>
    ? { readonly query?: z.input<E['query']> }
    : { readonly query: z.input<E['query']> }
  : { readonly query?: never }
type Placed<E extends Endpoint> = E['params'] extends z.ZodObject
  ? { readonly params: z.input<E['params']> }
  : { readonly params?: never }

type Call<E extends Endpoint> = Sent<E> &
  Asked<E> &
  Placed<E> & {
    /** What the call says when it fails. */
    readonly texts: FailureTexts
    readonly timeoutMs?: number
    /**
     * One per submit of a money call; the same again when that submit is retried (docs/product.md
     * 4.8).
     */
    readonly idempotencyKey?: string
    /** Ends the call early; the answer is then of no interest to anybody. */
    readonly signal?: AbortSignal
  }

/**
 * A call without a limit of its own gives up after this time, in milliseconds, so that no button
 * stays busy for ever.
 */
const DEFAULT_TIMEOUT_MS = 30_000

/**
 * Whether anything answers where the server should be, within 3 s (docs/product.md 9.5, 12.2). On
 * another origin the answer may not be read, but it comes.
 */
const isServerThere = async (): Promise<boolean> => {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), HEALTH_TIMEOUT_MS)
  const probe = fetch(urlOf(health), {
    method: health.method,
    mode: 'no-cors',
    cache: 'no-store',
    credentials: 'omit',
    signal: limit.signal,
  })
  return probe
    .then(
      () => true,
      () => false,
    )
    .finally(() => clearTimeout(timer))
}

/**
 * Why fetch gave up without an answer. Browsers do not say, so ask for the server's health: where
 * nobody answers the server is not there; where somebody does, either it does not accept requests
 * from this origin, or the connection broke.
 */
const kindOfSilence = async (): Promise<Exclude<FailureKind, 'answer' | 'notSent'>> => {
  if (!navigator.onLine) return 'network'
  if (!(await isServerThere())) return 'refused'
  return new URL(apiHost(), window.location.href).origin === window.location.origin
    ? 'network'
    : 'crossOrigin'
}

/**
 * A screen asks for much at once, and each request takes the browser milliseconds to send: between
 * them it may draw and answer.
 */
const nextTurn = async (): Promise<void> => window.scheduler?.yield?.()

type Request = {
  readonly address: string
  readonly init: RequestInit
  readonly timeoutMs: number
  readonly texts: FailureTexts
}

/**
 * Sends and reads to the end within the time limit, so that an answer that stalls half-way also
 * times out.
 */
const exchange = async ({
  address,
  init,
  timeoutMs,
  texts,
}: Request): Promise<{ status: number; ok: boolean; text: string; tag: string | null }> => {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), timeoutMs)
  const signal = init.signal ? AbortSignal.any([init.signal, limit.signal]) : limit.signal
  try {
    const response = await fetch(address, { ...init, signal })
    return {
      status: response.status,
      ok: response.ok,
      text: await response.text(),
      tag: response.headers.get('etag'),
    }
  } catch (error) {
    if (init.signal?.aborted) throw error
    const kind = limit.signal.aborted ? 'timeout' : await kindOfSilence()
    throw new ApiError(messageOfKind(kind, texts), { kind })
  } finally {
    clearTimeout(timer)
  }
}

/** A page's place in its list; null where the server does not page. */
const readPage = (value: unknown): Page | null => {
  const page = asRecord(value)
  const total = asNumber(page?.total)
  return total === null
    ? null
    : { total, ...(page?.andMore === true && { andMore: true }), next: asText(page?.next) }
}

const parseEnvelope = (text: string): Readonly<Record<string, unknown>> | null => {
  try {
    return asRecord(JSON.parse(text))
  } catch {
    return null
  }
}

type Sending = {
  readonly token: string | null
  readonly hasBody: boolean
  readonly idempotencyKey: string | undefined
  readonly tag: string | undefined
}

const headersFor = ({ token, hasBody, idempotencyKey, tag }: Sending): Headers => {
  const headers = new Headers({ accept: 'application/json' })
  if (hasBody) headers.set('content-type', 'application/json')
  if (token) headers.set('authorization', `Bearer ${token}`)
  if (idempotencyKey) headers.set(IDEMPOTENCY_HEADER, idempotencyKey)
  if (tag) headers.set('if-none-match', tag)
  return headers
}

/**
 * Makes a call. Throws an {@link ApiError} whose message is ready to be shown. A 401 on anything
 * but a public call also clears the token and sends the app to /login (docs/product.md 8.8).
 */
export const call = async <E extends Endpoint>(
  endpoint: E,
  options: Call<E>,
): Promise<CallAnswer> => {
  const {
    params,
    query,
    payload,
    texts,
    timeoutMs = DEFAULT_TIMEOUT_MS,
    idempotencyKey,
    signal,
  } = options as Call<Endpoint> & {
    params?: object
    query?: object
    payload?: unknown
  }
  if (endpoint.method === 'GET') await nextTurn()
  const token = endpoint.access === 'public' ? null : readToken()
  const address = urlOf(endpoint, params, query)
  const kept = endpoint.method === 'GET' ? findCached(token, address) : undefined
  const answer = await exchange({
    address,
    init: {
      method: endpoint.method,
      headers: headersFor({
        token,
        hasBody: payload !== undefined,
        idempotencyKey,
        tag: kept?.tag,
      }),
      ...(payload === undefined ? {} : { body: JSON.stringify(payload) }),
      ...(signal ? { signal } : {}),
      // The token travels in a header; nothing of ours is ever in a cookie or a cache.
      credentials: 'omit',
      cache: 'no-store',
    },
    timeoutMs,
    texts,
  })
  const unchanged = answer.status === 304 ? kept : undefined
  const { status, ok, text } = unchanged ? { status: 200, ok: true, text: unchanged.text } : answer
  // A late answer of a session that has ended since is not kept.
  if (endpoint.method === 'GET' && answer.ok && token !== null && token === readToken())
    cacheAnswer(token, address, answer)
  const envelope = parseEnvelope(text)
  if (ok && envelope?.successful === true) {
    const data = envelope.body ?? envelope.data ?? null
    return {
      success: true,
      data,
      message: asText(envelope.narration) ?? '',
      page: readPage(envelope.page),
    }
  }
  throw refused(endpoint, { status, text, token, texts })
}

type Refused = {
  readonly status: number
  readonly text: string
  readonly token: string | null
  readonly texts: FailureTexts
}

/**
 * What a call that the server refused throws. A 401 on anything but a public call ends the session
 * (docs/product.md 8.8).
 */
export const refused = (
  { access }: Endpoint,
  { status, text, token, texts }: Refused,
): ApiError => {
  const envelope = parseEnvelope(text)
  const message = messageOfAnswer({ status, envelope }, texts)
  if (status === 401 && access !== 'public') endSession(token, message)
  const body = asRecord(envelope?.body)
  return new ApiError(message, {
    kind: 'answer',
    status,
    code: asText(body?.code),
    field: asText(body?.field),
  })
}

/**
 * The stored user id, without which nothing of an investor's own is asked for (docs/product.md
 * 9.6): it can vanish under an open dashboard, when the browser or an extension clears it. Throws
 * an {@link ApiError} that says `missing` without it.
 */
export const requireUserId = (missing: string = sessionMessages.userIdMissing): void => {
  if (!readStored(storageKeys.userId)) throw new ApiError(missing, { kind: 'notSent' })
}

/**
 * What an admin's action needs before it is sent: a token and the stored user (docs/product.md
 * 9.6). Throws an {@link ApiError} without them.
 */
export const requireIdentity = (): void => {
  if (!readToken()) throw new ApiError(sessionMessages.authenticationRequired, { kind: 'notSent' })
  if (!readStored(storageKeys.username) || !readStored(storageKeys.userId)) {
    throw new ApiError(sessionMessages.userInformationMissing, { kind: 'notSent' })
  }
}
