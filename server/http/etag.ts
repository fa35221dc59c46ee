import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * A hook for readings: tags an answer by what is in it; whoever names the tag has the answer
 * already, is told so and sent nothing. Weak, because the same answer may be compressed in several
 * ways. An answer that is sent bit by bit has no tag.
 */
export const tagAnswer = async (
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> => {
  if (reply.statusCode !== 200 || typeof payload !== 'string') return payload
  const tag = `"${createHash('sha256').update(payload).digest('base64url').slice(0, 27)}"`
  reply.header('etag', `W/${tag}`)
  if (!namesTag(request.headers['if-none-match'], tag)) return payload
  reply.code(304).removeHeader('content-type')
  return null
}

const namesTag = (header: string | undefined, tag: string): boolean =>
  header?.split(',').some((named) => named.trim().replace(/^W\//, '') === tag) ?? false
