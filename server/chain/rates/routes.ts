import { listRates as endpoint } from '@pool/contract/chain/rates'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../http/context.ts'
import { route } from '../../http/serving/route.ts'
import { listRates } from './rates.ts'

export const rateRoutes = (app: FastifyInstance, context: Context): void => {
  route(app, context, endpoint, () => listRates(context))
}
