import { readCounts as counts, readToday as today } from '@pool/contract/reports/today'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../http/context.ts'
import { isAuditor } from '../../http/serving/access.ts'
import { route } from '../../http/serving/route.ts'
import { readCounts, readToday } from './queries.ts'

export const todayRoutes = (app: FastifyInstance, context: Context): void => {
  route(app, context, counts, ({ session }) =>
    readCounts(context, isAuditor(session) || session.roles.includes('SUPER_ADMIN')),
  )
  route(app, context, today, () => readToday(context, new Date()))
}
