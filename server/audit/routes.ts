import { listAudit } from '@pool/contract/audit'
import { roleFrom } from '@pool/contract/users'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { route } from '../http/route.ts'
import * as queries from './queries.ts'

export const auditRoutes = (app: FastifyInstance, context: Context): void => {
  route(app, context, listAudit, ({ query, session }) =>
    queries.listAudit(context.db, {
      reader: roleFrom(session.roles.map((type) => ({ type }))),
      request: query,
    }),
  )
}
