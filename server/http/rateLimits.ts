import type { RouteShorthandOptions } from 'fastify'
import type { Context } from '../context.ts'

/** Route options that refuse more than so many calls a minute from one address with a 429; nothing where the operator switched limits off. */
export const limits = ({ config }: Pick<Context, 'config'>, { perMinute }: { readonly perMinute: number }): RouteShorthandOptions =>
  config.rateLimits ? { config: { rateLimit: { max: perMinute, timeWindow: 60_000 } } } : {}
