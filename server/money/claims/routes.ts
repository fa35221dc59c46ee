import { listClaims } from '@pool/contract/claims'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { route } from '../http/route.ts'
import * as queries from './queries.ts'

export const claimRoutes = (app: FastifyInstance, context: Context): void => {
  route(app, context, listClaims, () => queries.listClaims(context.db))
}
