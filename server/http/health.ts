import { health } from '@pool/contract/health'
import { refusal } from '@pool/contract/refusals'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { route } from './route.ts'

export const healthRoutes = (app: FastifyInstance, context: Context): void => {
  route(app, context, health, async () => {
    try {
      await sql`SELECT 1`.execute(context.db)
    } catch (cause) {
      throw Object.assign(refusal('unavailable'), { cause })
    }
    return { database: 'up' as const }
  })
}
