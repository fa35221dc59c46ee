import { refusal } from '@pool/contract/base/refusals'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../../base/configuration/config.ts'
import { subscriberOf } from '../../base/sessions/ipRange.ts'
import type { Session } from '../../base/sessions/sessions.ts'
import { openPace } from './pace.ts'

/**
 * Unmarked tokens of a range of IP addresses that are unknown, on one node: so many at once, then
 * one after each of these milliseconds.
 */
const pace = openPace({ calls: { atOnce: 60, everyMs: 1_000 } })

/**
 * Looks up a token of an older release, which a made-up one is like. One that is found counts for
 * nothing. Throws `tooManyRequests` above the pace, since 401 would sign out who has a right one.
 */
export const findUnmarked = async (
  { rateLimits }: Pick<Config, 'rateLimits'>,
  { ip }: Pick<FastifyRequest, 'ip'>,
  find: () => Promise<Session | undefined>,
): Promise<Session | undefined> => {
  if (!rateLimits) return find()
  const caller = subscriberOf(ip)
  if (pace.secondsToWait({ userId: caller, bytes: 0 }) > 0) throw refusal('tooManyRequests')
  const session = await find()
  if (session) pace.giveBack(caller)
  return session
}
