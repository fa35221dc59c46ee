import type { FastifyRequest, RouteShorthandOptions } from 'fastify'
import { subscriberOf } from '../../base/sessions/ipRange.ts'
import type { WithConfig } from '../context.ts'

type Limit = { readonly perMinute: number; readonly per: 'ip' | 'user' }

/** The range of the IP is known at once, the user after the session look-up. */
const counted = {
  ip: { keyGenerator: ({ ip }: FastifyRequest) => subscriberOf(ip) },
  user: {
    hook: 'preHandler',
    keyGenerator: ({ session, ip }: FastifyRequest) => session?.userId ?? ip,
  },
} as const

/** Route options that answer 429 above this rate. Empty when the operator turned limits off. */
export const limits = ({ config }: WithConfig, { perMinute, per }: Limit): RouteShorthandOptions =>
  config.rateLimits
    ? { config: { rateLimit: { max: perMinute, timeWindow: 60_000, ...counted[per] } } }
    : {}
