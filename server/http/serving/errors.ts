import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Failure } from '@pool/contract/base/envelope'
import type { RefusalDetails } from '@pool/contract/base/refusalDetails'
import { Refusal, refusal } from '@pool/contract/base/refusals'
import * as validation from '@pool/contract/base/validation'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { isCancelled, isUnavailable } from '../../base/db/errors.ts'
import type { WithOutages } from '../context.ts'

/** The envelope of a refusal. */
export const failure = ({ code, message, field, details }: Refusal): Failure => ({
  successful: false,
  narration: message,
  body: {
    code,
    ...(field !== undefined && { field }),
    ...(details && { details: { ...details } }),
  },
})

/** Milliseconds for a client to read the response to an invalid request. */
const LINGER_TIMEOUT_MS = 1_000

/** Answers invalid HTTP, and too long or slow headers, on the bare connection. Then closes it. */
export const answerConnection = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable)
    return void socket.destroy()
  const refused = refusal(connectionRefusals[error.code ?? ''] ?? 'notHttp')
  const text = JSON.stringify(failure(refused))
  const lines = [
    `HTTP/1.1 ${refused.status} ${STATUS_CODES[refused.status]}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(text)}`,
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    "content-security-policy: default-src 'none'; frame-ancestors 'none'",
    'connection: close',
  ]
  socket.end(`${lines.join('\r\n')}\r\n\r\n${text}`)
  setTimeout(() => socket.destroy(), LINGER_TIMEOUT_MS).unref()
}

const connectionRefusals: Readonly<Record<string, 'headersTooLarge' | 'requestTimeout'>> = {
  HPE_HEADER_OVERFLOW: 'headersTooLarge',
  ERR_HTTP_REQUEST_TIMEOUT: 'requestTimeout',
}

/** Answers every error of every route as an envelope with advice for the user and no internals. */
export const answerErrorOf =
  ({ outages }: WithOutages) =>
  (error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const refused = refusalOf(error)
    const err = error.cause ?? error
    if (isOutage(refused, err)) outages.failed('requests', err, request.log)
    else if (refused.status >= 500 && !expected.includes(refused.code))
      request.log.error({ err, code: refused.code }, 'request failed')
    const wait = secondsToWait(refused)
    if (wait !== undefined) reply.header('retry-after', String(wait))
    return reply
      .status(refused.status)
      .type('application/json')
      .send(JSON.stringify(failure(refused)))
  }

/** Seconds after which a repeat may succeed. Undefined where the sentence alone tells. */
const secondsToWait = ({ code, details }: Refusal): number | undefined => {
  if (code === 'busy') return 1
  return code === 'tooManyMoneyCalls' || code === 'tooManyReadingCalls'
    ? (details as RefusalDetails['tooManyMoneyCalls']).seconds
    : undefined
}

/** A refusal of our own, without a cause, tells nothing of the database. One slow query neither. */
const isOutage = ({ code }: Refusal, cause: unknown): boolean =>
  ['unavailable', 'outcomeUnknown', 'busy'].includes(code) &&
  !(cause instanceof Refusal) &&
  !isCancelled(cause)

/** Refusals with a 503 that are no failures, so that they are not logged. */
const expected: readonly string[] = ['paused', 'notReady']

const refusalOf = (error: FastifyError): Refusal => {
  if (error instanceof Refusal) return error
  if (hasZodFastifySchemaValidationErrors(error)) {
    const [first] = error.validation
    return refusal('validation', {
      message: first?.message ?? validation.badRequest,
      field: fieldOf(first?.instancePath),
    })
  }
  if (error.statusCode === 429) return refusal('tooManyRequests')
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return refusal('bodyTooLarge')
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return refusal('unsupportedMediaType')
  if (error instanceof SyntaxError || error.code?.startsWith('FST_ERR_CTP'))
    return refusal('malformedJson')
  if (error.statusCode !== undefined && error.statusCode < 500)
    return refusal('validation', { message: validation.badRequest })
  if (isUnavailable(error)) return refusal('unavailable')
  return refusal('internal')
}

/** Converts `/detail/firstName` to `detail.firstName`. */
const fieldOf = (pointer: string | undefined): string =>
  (pointer ?? '').split('/').filter(Boolean).join('.')
