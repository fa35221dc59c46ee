import { adminFigures, poolFigures, userFigures } from '@pool/contract/figures'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { cachedFor } from '../db/cachedFor.ts'
import { route } from '../http/route.ts'
import { readPoolFigures } from './pool.ts'
import { readAdminFigures, readUserFigures } from './queries.ts'

export const figureRoutes = (app: FastifyInstance, context: Context): void => {
  const { db } = context

  route(app, context, userFigures, ({ session }) => readUserFigures(db, session.userId))
  route(app, context, adminFigures, () => readAdminFigures(db))
  // The route is public, so a cache protects the database from its load.
  route(
    app,
    context,
    poolFigures,
    cachedFor(poolFigures.maxAgeSeconds, () => readPoolFigures(db)),
  )
}
