import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * Sets a weak ETag, a digest of the answer, and sends 304 without a body when the client names it.
 * Weak, because the same answer may be compressed in several ways. A stream has no ETag.
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
