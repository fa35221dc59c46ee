import * as contract from '@pool/contract/coins/payouts'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../http/context.ts'
import { route } from '../../http/serving/route.ts'
import { listAlarms } from './queries.ts'
import { settleAlarm } from './settleAlarm.ts'

export const payoutRoutes = (app: FastifyInstance, context: Context): void => {
  route(app, context, contract.listAlarms, () => listAlarms(context.db))

  route(app, context, contract.settleAlarm, async ({ params: { id }, payload: { reason }, by }) => {
    await settleAlarm(context, { id, reason, by })
    return null
  })
}
