import { health, readiness, type StoppedWork } from '@pool/contract/base/health'
import { refusal } from '@pool/contract/base/refusals'
import type { FastifyInstance, RouteShorthandOptions } from 'fastify'
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { bounded } from './bounded.ts'
import { readinessOf } from './readiness.ts'
import { route } from './route.ts'

// Another site's web app may see that the server answers, and tell its user (docs/product.md 12.5).
const answersAnySite: RouteShorthandOptions = {
  onSend: async (_request, reply) => {
    reply.header('cross-origin-resource-policy', 'cross-origin')
  },
}

/**
 * Registers the calls of health. `readStopped` reads what staff get beside readiness. Without the
 * database no session can be looked up, so staff get the answer of everybody then.
 */
export const healthRoutes = (
  app: FastifyInstance,
  context: Context,
  readStopped: () => Promise<StoppedWork>,
): void => {
  const askDatabase = bounded(() => sql`SELECT 1`.execute(context.db))
  const answer = async () => {
    try {
      await askDatabase()
    } catch (cause) {
      throw Object.assign(refusal('unavailable'), { cause })
    }
    return { database: 'up' as const }
  }
  route(app, context, health, answer, answersAnySite)

  const whyNotReady = readinessOf(context)
  const askStopped = bounded(readStopped)
  route(app, context, readiness, async ({ session }) => {
    const why = await whyNotReady()
    const stoppedJobs = session && (await askStopped().catch(() => undefined))
    const more = stoppedJobs && { stoppedJobs }
    if (why) throw refusal('notReady', { why, ...more })
    return { ready: true as const, ...more }
  })
}
