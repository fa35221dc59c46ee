import * as contract from '@pool/contract/coins/reconciliation'
import * as unseen from '@pool/contract/coins/unseen'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../http/context.ts'
import { route } from '../../http/serving/route.ts'
import { readReconciliation } from './queries.ts'
import { settleUnseen } from './settle.ts'
import { listUnseen } from './unseenArrivals.ts'

export const reconciliationRoutes = (app: FastifyInstance, context: Context): void => {
  route(app, context, contract.readReconciliation, () => readReconciliation(context))
}

export const unseenRoutes = (app: FastifyInstance, context: Context): void => {
  route(app, context, unseen.listUnseen, () => listUnseen(context.db))

  route(app, context, unseen.settleUnseen, async ({ params: { id }, payload: { reason }, by }) => {
    await settleUnseen(context, { id, reason, by })
    return null
  })
}
