import { adminFigures, poolFigures, userFigures } from '@pool/contract/reports/figures'
import type { FastifyInstance } from 'fastify'
import { cachedFor } from '../../base/db/cachedFor.ts'
import type { Context } from '../../http/context.ts'
import { route } from '../../http/serving/route.ts'
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
