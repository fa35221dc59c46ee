import { createHash } from 'node:crypto'
import {
  type Endpoint,
  IDEMPOTENCY_HEADER,
  idempotencyKeySchema,
} from '@pool/contract/base/endpoint'
import { refusal } from '@pool/contract/base/refusals'
import type { FastifyRequest } from 'fastify'
import type { Session } from '../../base/sessions/sessions.ts'
import type { Idempotency } from '../../ledger/families/movement.ts'

/**
 * Idempotency key of a money call with a digest of the call. Undefined when the client sent none.
 * Throws `validation` for a malformed key.
 */
export const idempotencyOf = (
  endpoint: Endpoint,
  request: FastifyRequest,
  session: Session,
): Idempotency | undefined => {
  const header = request.headers[IDEMPOTENCY_HEADER]
  if (!endpoint.movesMoney || header === undefined) return undefined
  const key = idempotencyKeySchema.safeParse(header)
  if (!key.success)
    throw refusal('validation', {
      message: key.error.issues[0]?.message ?? '',
      field: IDEMPOTENCY_HEADER,
    })

  const call = JSON.stringify([endpoint.method, endpoint.path, request.params, request.body])
  return {
    actorId: session.userId,
    key: key.data,
    requestHash: createHash('sha256').update(call).digest('base64url'),
  }
}
