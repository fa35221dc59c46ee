import { listClaims } from '@pool/contract/money/claims'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../http/context.ts'
import { route } from '../../http/serving/route.ts'
import * as queries from './queries.ts'

export const claimRoutes = (app: FastifyInstance, context: Context): void => {
  route(app, context, listClaims, () => queries.listClaims(context.db))
}
