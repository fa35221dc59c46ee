import * as capital from '@pool/contract/coins/capital'
import * as contract from '@pool/contract/coins/custody'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../http/context.ts'
import { route } from '../../http/serving/route.ts'
import { readCapital } from './capital.ts'
import { listCoinMovements, listOwnAddresses } from './queries.ts'

export const custodyRoutes = (app: FastifyInstance, context: Context): void => {
  route(app, context, contract.listOwnAddresses, () => listOwnAddresses(context.db))
  route(app, context, contract.listCoinMovements, () => listCoinMovements(context.db))
  route(app, context, capital.readCapital, () => readCapital(context))
}
