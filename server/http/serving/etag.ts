import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * Sets a weak ETag and sends 304 when the client names it. Streams have none. It is weak because
 * the same response may be compressed in several ways.
 */
export const setEtag = async (
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> => {
  if (reply.statusCode !== 200 || typeof payload !== 'string') return payload
  const etag = `"${createHash('sha256').update(payload).digest('base64url').slice(0, 27)}"`
  reply.header('etag', `W/${etag}`)
  if (!namesEtag(request.headers['if-none-match'], etag)) return payload
  reply.code(304).removeHeader('content-type')
  return null
}

const namesEtag = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((named) => named.trim().replace(/^W\//, '') === etag) ?? false
