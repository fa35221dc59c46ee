import { listChains } from '@pool/contract/chain/chains'
import { listPayments } from '@pool/contract/coins/payments'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../http/context.ts'
import { route } from '../../http/serving/route.ts'
import * as queries from './queries.ts'

export const nodeRoutes = (app: FastifyInstance, context: Context): void => {
  route(app, context, listChains, () => queries.listChains(context))
  route(app, context, listPayments, () => queries.listPayments(context))
}
