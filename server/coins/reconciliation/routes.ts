import * as contract from '@pool/contract/coins/reconciliation'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../http/context.ts'
import { route } from '../../http/serving/route.ts'
import { readReconciliation } from './queries.ts'

export const reconciliationRoutes = (app: FastifyInstance, context: Context): void => {
  route(app, context, contract.readReconciliation, () => readReconciliation(context))
}
