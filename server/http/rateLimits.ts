import type { FastifyRequest, RouteShorthandOptions } from 'fastify'
import type { Context } from '../context.ts'

/** `account` counts each email from each address on its own; `address` counts all calls of an address. */
type Limit = { readonly perMinute: number; readonly by: 'account' | 'address' }

const accountOf = (request: FastifyRequest): string => {
  const { body } = request
  const username = typeof body === 'object' && body !== null && 'username' in body ? body.username : ''
  return typeof username === 'string' ? username.trim().toLowerCase().slice(0, 254) : ''
}

/** Route options that refuse more than so many calls a minute with a 429; nothing where the operator switched limits off. */
export const limits = ({ config }: Pick<Context, 'config'>, { perMinute, by }: Limit): RouteShorthandOptions => {
  if (!config.rateLimits) return {}
  const keyGenerator =
    by === 'account' ? (request: FastifyRequest) => `${request.ip} ${accountOf(request)}` : (request: FastifyRequest) => request.ip
  // After parsing, so that the account is known.
  return { config: { rateLimit: { max: perMinute, timeWindow: 60_000, hook: 'preHandler', keyGenerator } } }
}
