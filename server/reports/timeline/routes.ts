import { refusal } from '@pool/contract/base/refusals'
import { readTimeline } from '@pool/contract/reports/timeline'
import type { FastifyInstance } from 'fastify'
import { isUser } from '../../accounts/users/readPerson.ts'
import type { Context } from '../../http/context.ts'
import { route } from '../../http/serving/route.ts'
import { readerOfTrail } from '../../records/audit/queries.ts'
import { listTimeline } from './queries.ts'

export const timelineRoutes = (app: FastifyInstance, context: Context): void => {
  const { db } = context
  route(app, context, readTimeline, async ({ params: { id }, query, session, lagging }) => {
    if (!(await isUser(db, id))) throw refusal('userNotFound')
    return listTimeline(db, {
      reader: readerOfTrail(session),
      userId: id,
      request: query,
      lagging,
    })
  })
}
