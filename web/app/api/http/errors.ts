import { connection, messageForStatus } from '@pool/contract/messages'
import { refusalText } from '../../i18n/narrations.ts'
import { asRecord, asText } from './reading.ts'

/**
 * What became of a call: it never arrived (`network`, `refused`, `crossOrigin`), nobody knows
 * (`timeout`), the server said no (`answer`), or it was not sent (`notSent`).
 */
export type FailureKind = 'network' | 'refused' | 'crossOrigin' | 'timeout' | 'answer' | 'notSent'

/**
 * The sentences that one call has for its own failures (docs/product.md 12.1, 12.3); each stands in
 * for the general one.
 */
export type FailureTexts = {
  /** When neither the server, nor the kind, nor the status has anything to say. */
  readonly otherwise: string
  readonly network?: string
  readonly timeout?: string
  /** Said on a 401 whatever the server says. */
  readonly unauthorized?: string
}

/**
 * The unsuccessful half of the interface layer's `{ success, data, message }` (docs/product.md
 * 10.1), thrown.
 */
export class ApiError extends Error {
  readonly success = false
  readonly data = null
  readonly kind: FailureKind
  /** The HTTP status, or null when there was no answer. */
  readonly status: number | null
  /** The refusal's code and the field at fault, where the server named them. */
  readonly code: string | null
  readonly field: string | null

  constructor(
    message: string,
    failure: { kind: FailureKind; status?: number; code?: string | null; field?: string | null },
  ) {
    super(message)
    this.name = 'ApiError'
    this.kind = failure.kind
    this.status = failure.status ?? null
    this.code = failure.code ?? null
    this.field = failure.field ?? null
  }
}

/**
 * What a person reads about a failure; `screenFallback` is what the screen says when the failure
 * has no sentence (docs/product.md 12.1).
 */
export const messageOf = (error: unknown, screenFallback: string): string =>
  error instanceof ApiError && error.message ? error.message : screenFallback

/** The field that the server found fault with; null where it named none. */
export const fieldOf = (error: unknown): string | null =>
  error instanceof ApiError ? error.field : null

/** Whether the server's answer ended the session; then the app is already on its way to /login. */
export const isUnauthorized = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 401

/** Whether the operator has paused what the call asks for; then nothing was recorded. */
export const isPausedNow = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'paused'

/** Whether the call was never sent, because this browser no longer knows who is signed in. */
export const isNotSent = (error: unknown): boolean =>
  error instanceof ApiError && error.kind === 'notSent'

/**
 * Whether a money call may have been carried out although no success was seen. Only a repeat with
 * the same idempotency key can tell (docs/product.md 4.9).
 */
export const isOutcomeUnknown = (error: unknown): boolean =>
  !(error instanceof ApiError) ||
  (error.kind !== 'notSent' && (error.status === null || error.status < 400 || error.status >= 500))

const sentence = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() ? value : undefined

type FailedAnswer = {
  readonly status: number
  readonly envelope: Readonly<Record<string, unknown>> | null
}

/** The server's words first, then the status's, then the call's (docs/product.md 12.1, 12.1). */
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

/** The sentence for a call that got no answer (docs/product.md 12.2). */
export const messageOfKind = (
  kind: Exclude<FailureKind, 'answer' | 'notSent'>,
  texts: FailureTexts,
): string => {
  if (kind === 'timeout') return texts.timeout ?? connection.timeout
  if (kind === 'crossOrigin') return connection.crossOrigin
  return texts.network ?? (kind === 'refused' ? connection.refused : connection.network)
}

/**
 * Writes a failure to the console, for the failures that have no sentence on the screen
 * (docs/product.md 12.4).
 */
export const logFailure = (what: string, error: unknown): void => {
  console.error(`${what}:`, error)
}
