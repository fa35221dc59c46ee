import type { FastifyRequest, RouteShorthandOptions } from 'fastify'
import type { Context } from '../context.ts'

type Limit = { readonly perMinute: number; readonly per: 'address' | 'user' }

/** A user is known once the session was looked up, an IP address at once. */
const counted = {
  address: {},
  user: {
    hook: 'preHandler',
    keyGenerator: ({ session, ip }: FastifyRequest) => session?.userId ?? ip,
  },
} as const

/**
 * Route options that answer 429 to more calls a minute than this; none where the operator switched
 * limits off.
 */
export const limits = (
  { config }: Pick<Context, 'config'>,
  { perMinute, per }: Limit,
): RouteShorthandOptions =>
  config.rateLimits
    ? { config: { rateLimit: { max: perMinute, timeWindow: 60_000, ...counted[per] } } }
    : {}
