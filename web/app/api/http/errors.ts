import { connection, messageForStatus } from '@pool/contract/base/messages'
import { refusalText } from '../../i18n/narrations.ts'
import { MissingError } from '../../loading/missing.ts'
import { asRecord, asText } from './reading.ts'

/**
 * The outcome of a failed call: no connection (`network`, `refused`, `crossOrigin`), an unknown
 * result (`timeout`), a refusal (`answer`), or no request (`notSent`).
 */
export type FailureKind = 'network' | 'refused' | 'crossOrigin' | 'timeout' | 'answer' | 'notSent'

/**
 * A call's own sentences for its failures; each replaces the general one (docs/product.md 12.1,
 * 12.3).
 */
export type FailureTexts = {
  /** The last resort, without a sentence from the server, the kind or the status. */
  readonly otherwise: string
  readonly network?: string
  readonly timeout?: string
  /** The sentence for a 401, in place of the server's. */
  readonly unauthorized?: string
}

/** The failure half of `{ success, data, message }`, thrown (docs/product.md 10.1). */
export class ApiError extends Error {
  readonly success = false
  readonly data = null
  readonly kind: FailureKind
  /** The HTTP status; null without a response. */
  readonly status: number | null
  /** The refusal's code and its field; null where the server named none. */
  readonly code: string | null
  readonly field: string | null
  /** The facts of the refusal; null where the server sent none. */
  readonly details: Readonly<Record<string, unknown>> | null

  constructor(
    message: string,
    failure: {
      kind: FailureKind
      status?: number
      code?: string | null
      field?: string | null
      details?: Readonly<Record<string, unknown>> | null
    },
  ) {
    super(message)
    this.name = 'ApiError'
    this.kind = failure.kind
    this.status = failure.status ?? null
    this.code = failure.code ?? null
    this.field = failure.field ?? null
    this.details = failure.details ?? null
  }
}

/** The sentence for the user, else the fallback of the screen (docs/product.md 12.1). */
export const messageOf = (error: unknown, screenFallback: string): string =>
  (error instanceof ApiError || error instanceof MissingError) && error.message
    ? error.message
    : screenFallback

/** The field at fault, or null. */
export const fieldOf = (error: unknown): string | null =>
  error instanceof ApiError ? error.field : null

/** True if the server has no such call: an older one, or one of the specified calls alone. */
export const isAbsent = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 405)

/** The response ended the session, and the app is on its way to /login. */
export const isUnauthorized = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 401

/** The operator has paused this kind of request. Nothing was recorded. */
export const isPausedNow = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'paused'

/** The browser lacks the stored identity, so no request was made. */
export const isNotSent = (error: unknown): boolean =>
  error instanceof ApiError && error.kind === 'notSent'

/**
 * A money call may have succeeded. Only a repeat with the same key can tell (docs/product.md 4.9).
 */
export const isOutcomeUnknown = (error: unknown): boolean =>
  !(error instanceof ApiError) ||
  (error.kind !== 'notSent' && (error.status === null || error.status < 400 || error.status >= 500))

/** The product itself said no, so nothing was recorded. */
const isRefused = (error: unknown): boolean =>
  error instanceof ApiError && error.code !== null && error.code !== 'outcomeUnknown'

/** As {@link isOutcomeUnknown}, for a sentence: a refusal of the product is certain. */
export const isPerhapsRecorded = (error: unknown): boolean =>
  isOutcomeUnknown(error) && !isRefused(error)

const sentence = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() ? value : undefined

type FailedAnswer = {
  readonly status: number
  readonly envelope: Readonly<Record<string, unknown>> | null
}

/**
 * The server's sentence first, then that of the status, then that of the call (docs/product.md
 * 12.1).
 */
export const messageOfAnswer = (
  { status, envelope }: FailedAnswer,
  texts: FailureTexts,
): string => {
  if (status === 401 && texts.unauthorized) return texts.unauthorized
  const body = asRecord(envelope?.body)
  const said =
    refusalText(asText(body?.code), asRecord(body?.details)) ??
    sentence(envelope?.narration) ??
    sentence(envelope?.message) ??
    sentence(envelope?.error)
  return said ?? (status >= 400 ? messageForStatus(status) : texts.otherwise)
}

/** The sentence for a call without a response (docs/product.md 12.2). */
export const messageOfKind = (
  kind: Exclude<FailureKind, 'answer' | 'notSent'>,
  texts: FailureTexts,
): string => {
  if (kind === 'timeout') return texts.timeout ?? connection.timeout
  if (kind === 'crossOrigin') return connection.crossOrigin
  return texts.network ?? (kind === 'refused' ? connection.refused : connection.network)
}

/** Logs a failure that has no sentence on the screen (docs/product.md 12.4). */
export const logFailure = (what: string, error: unknown): void => {
  console.error(`${what}:`, error)
}
