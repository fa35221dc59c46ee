import { health, readiness } from '@pool/contract/health'
import { refusal } from '@pool/contract/refusals'
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

export const healthRoutes = (app: FastifyInstance, context: Context): void => {
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

  const requireReady = readinessOf(context)
  route(app, context, readiness, async () => {
    await requireReady()
    return { ready: true as const }
  })
}
