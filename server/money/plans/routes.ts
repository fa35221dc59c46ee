import * as contract from '@pool/contract/planVersions'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { route } from '../http/route.ts'
import { listPlans, listPlanVersions } from './queries.ts'

export const planRoutes = (app: FastifyInstance, context: Context): void => {
  route(app, context, contract.listPlans, () => listPlans(context.db))
  route(app, context, contract.listPlanVersions, () => listPlanVersions(context.db))
}
