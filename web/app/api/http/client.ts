/**
 * The only fetch of the web app: takes an endpoint of the contract, returns `{ success, data,
 * message }` (docs/product.md 9.1, 10.1).
 */
import { HEALTH_TIMEOUT_MS, storageKeys } from '@pool/contract/accounts/session'
import { type Endpoint, IDEMPOTENCY_HEADER } from '@pool/contract/base/endpoint'
import { health } from '@pool/contract/base/health'
import { AS_OF_HEADER, type Page } from '@pool/contract/base/lists'
import { sessionMessages } from '@pool/contract/base/messages'
import type { z } from 'zod'
import { noteLoss, noteResponse } from '../../connection.ts'
import { language } from '../../i18n/language.ts'
import { stored } from '../../storage.ts'
import { endSession, readToken } from './bearer.ts'
import { cacheAnswer, findCached } from './cache.ts'
import {
  ApiError,
  type FailureKind,
  type FailureTexts,
  messageOfAnswer,
  messageOfKind,
} from './errors.ts'
import { asNumber, asRecord, asText } from './reading.ts'
import { askFactor } from './stepUp.ts'
import { apiHost, urlOf } from './url.ts'

export type Answer<Data> = { readonly success: true; readonly data: Data; readonly message: string }

/** The response of a call. A list with a `limit` also has its page. */
export type CallAnswer = Answer<unknown> & {
  readonly page: Page | null
  /** The moment of rows that lag, in ISO 8601. */
  readonly asOf: string | null
}

type SentPayload<E extends Endpoint> = E['payload'] extends z.ZodType
  ? { readonly payload: z.input<E['payload']> }
  : { readonly payload?: never }
type QueryPart<E extends Endpoint> = E['query'] extends z.ZodObject
  ? Record<never, never> extends z.input<E['query']>
    ? { readonly query?: z.input<E['query']> }
    : { readonly query: z.input<E['query']> }
  : { readonly query?: never }
type Placed<E extends Endpoint> = E['params'] extends z.ZodObject
  ? { readonly params: z.input<E['params']> }
  : { readonly params?: never }

type Call<E extends Endpoint> = SentPayload<E> &
  QueryPart<E> &
  Placed<E> & {
    /** The sentences of a failure. */
    readonly texts: FailureTexts
    readonly timeoutMs?: number
    /** One key per submit of a money call, reused by a retry (docs/product.md 4.8). */
    readonly idempotencyKey?: string
    /** Aborts the call; its response is dropped. */
    readonly signal?: AbortSignal
  }

/** A call without its own timeout gives up after this time, so no button stays busy for ever. */
const DEFAULT_TIMEOUT_MS = 30_000

/**
 * Asks the health call for a response within 3 s (docs/product.md 9.5, 12.2). Another origin's
 * response is opaque, but it comes.
 */
export const isServerThere = async (): Promise<boolean> => {
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
 * Browsers do not say why fetch failed, so the health call decides. A response means a broken
 * connection or a refused origin.
 */
const kindOfSilence = async (): Promise<Exclude<FailureKind, 'answer' | 'notSent'>> => {
  if (!navigator.onLine) return 'network'
  if (!(await isServerThere())) return 'refused'
  return new URL(apiHost(), window.location.href).origin === window.location.origin
    ? 'network'
    : 'crossOrigin'
}

/** Yields between requests: each takes the browser milliseconds to send. */
const nextTurn = async (): Promise<void> => window.scheduler?.yield?.()

type Request = {
  readonly url: string
  readonly init: RequestInit
  readonly timeoutMs: number
  readonly texts: FailureTexts
}

type Exchanged = {
  readonly status: number
  readonly ok: boolean
  readonly text: string
  readonly etag: string | null
  readonly asOf: string | null
}

/** Sends a request and reads its whole response within the timeout. */
const exchange = async ({ url, init, timeoutMs, texts }: Request): Promise<Exchanged> => {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), timeoutMs)
  const signal = init.signal ? AbortSignal.any([init.signal, limit.signal]) : limit.signal
  try {
    const response = await fetch(url, { ...init, signal })
    const text = await response.text()
    noteResponse()
    const { status, ok, headers } = response
    return {
      status,
      ok,
      text,
      etag: headers.get('etag'),
      asOf: headers.get(AS_OF_HEADER),
    }
  } catch (error) {
    if (init.signal?.aborted) throw error
    const kind = limit.signal.aborted ? 'timeout' : await kindOfSilence()
    if (!navigator.onLine) noteLoss('offline')
    else if (kind === 'refused') noteLoss('gone')
    throw new ApiError(messageOfKind(kind, texts), { kind })
  } finally {
    clearTimeout(timer)
  }
}

/** A page's place in its list, or null. */
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
  readonly etag: string | undefined
}

const headersFor = ({ token, hasBody, idempotencyKey, etag }: Sending): Headers => {
  const headers = new Headers({ accept: 'application/json', 'accept-language': language })
  if (hasBody) headers.set('content-type', 'application/json')
  if (token) headers.set('authorization', `Bearer ${token}`)
  if (idempotencyKey) headers.set(IDEMPOTENCY_HEADER, idempotencyKey)
  if (etag) headers.set('if-none-match', etag)
  return headers
}

/**
 * Makes a call. Throws an {@link ApiError} with the sentence for the user. A 401 ends the session,
 * except on public calls (docs/product.md 8.8).
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
  const url = urlOf(endpoint, params, query)
  const cached = endpoint.method === 'GET' ? findCached(token, url) : undefined
  const answer = await exchange({
    url,
    init: {
      method: endpoint.method,
      headers: headersFor({
        token,
        hasBody: payload !== undefined,
        idempotencyKey,
        etag: cached?.etag,
      }),
      ...(payload === undefined ? {} : { body: JSON.stringify(payload) }),
      ...(signal ? { signal } : {}),
      // Tokens travel in a header, never in a cookie. Browsers cache no response.
      credentials: 'omit',
      cache: 'no-store',
    },
    timeoutMs,
    texts,
  })
  const unchanged = answer.status === 304 ? cached : undefined
  const { status, ok, text } = unchanged ? { status: 200, ok: true, text: unchanged.text } : answer
  // Skips a late response of an ended session.
  if (endpoint.method === 'GET' && answer.ok && token !== null && token === readToken())
    cacheAnswer(token, url, answer)
  const envelope = parseEnvelope(text)
  if (ok && envelope?.successful === true) {
    const data = envelope.body ?? envelope.data ?? null
    return {
      success: true,
      data,
      message: asText(envelope.narration) ?? '',
      page: readPage(envelope.page),
      // Says it of an unchanged response as well, which another server may have sent.
      asOf: answer.asOf,
    }
  }
  const error = refused(endpoint, { status, text, token, texts })
  // The same call goes on with what was typed, and with its idempotency key.
  const wantsFactor = error.code === 'factorNeeded' || error.code === 'enrolFactor'
  if (wantsFactor && (await askFactor(error))) return call(endpoint, options)
  throw error
}

type Refused = {
  readonly status: number
  readonly text: string
  readonly token: string | null
  readonly texts: FailureTexts
}

/**
 * The error of a refused call. A 401 ends the session, except on public calls (docs/product.md
 * 8.8).
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
    details: asRecord(body?.details),
  })
}

/**
 * Throws an {@link ApiError} with `missing` without a stored user id (docs/product.md 9.6). The
 * browser or an extension may have cleared it.
 */
export const requireUserId = (missing: string = sessionMessages.userIdMissing): void => {
  if (!stored.read(storageKeys.userId)) throw new ApiError(missing, { kind: 'notSent' })
}

/**
 * Throws an {@link ApiError} without a token, a username and a user id in storage (docs/product.md
 * 9.6).
 */
export const requireIdentity = (): void => {
  if (!readToken()) throw new ApiError(sessionMessages.authenticationRequired, { kind: 'notSent' })
  if (!stored.read(storageKeys.username) || !stored.read(storageKeys.userId)) {
    throw new ApiError(sessionMessages.userInformationMissing, { kind: 'notSent' })
  }
}
