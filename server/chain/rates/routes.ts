import { listRates as endpoint } from '@pool/contract/rates'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { route } from '../http/route.ts'
import { listRates } from './rates.ts'

export const rateRoutes = (app: FastifyInstance, context: Context): void => {
  route(app, context, endpoint, () => listRates(context))
}
