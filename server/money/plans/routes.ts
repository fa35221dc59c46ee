import * as contract from '@pool/contract/money/planVersions'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../http/context.ts'
import { route } from '../../http/serving/route.ts'
import { listPlans, listPlanVersions } from './queries.ts'

export const planRoutes = (app: FastifyInstance, context: Context): void => {
  route(app, context, contract.listPlans, () => listPlans(context.db))
  route(app, context, contract.listPlanVersions, () => listPlanVersions(context.db))
}
