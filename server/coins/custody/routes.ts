import * as contract from '@pool/contract/coins/custody'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../http/context.ts'
import { route } from '../../http/serving/route.ts'
import { listCoinMovements, listOwnAddresses } from './queries.ts'

export const custodyRoutes = (app: FastifyInstance, context: Context): void => {
  route(app, context, contract.listOwnAddresses, () => listOwnAddresses(context.db))
  route(app, context, contract.listCoinMovements, () => listCoinMovements(context.db))
}
