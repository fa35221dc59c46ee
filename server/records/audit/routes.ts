import { listAudit } from '@pool/contract/reports/audit'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../http/context.ts'
import { route } from '../../http/serving/route.ts'
import * as queries from './queries.ts'

export const auditRoutes = (app: FastifyInstance, context: Context): void => {
  route(app, context, listAudit, ({ query, session, lagging }) =>
    queries.listAudit(context.db, {
      reader: queries.readerOfTrail(session),
      request: query,
      lagging,
    }),
  )
}
