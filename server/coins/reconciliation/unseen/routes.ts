import * as contract from '@pool/contract/coins/unseen'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../http/context.ts'
import { route } from '../../../http/serving/route.ts'
import { listUnseen } from './queries.ts'
import { settleUnseen } from './settle.ts'

export const unseenRoutes = (app: FastifyInstance, context: Context): void => {
  route(app, context, contract.listUnseen, () => listUnseen(context.db))

  route(
    app,
    context,
    contract.settleUnseen,
    async ({ params: { id }, payload: { reason }, by }) => {
      await settleUnseen(context, { id, reason, by })
      return null
    },
  )
}
