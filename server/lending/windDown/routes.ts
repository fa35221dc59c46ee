import { readWindDown } from '@pool/contract/lending/windDown'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../http/context.ts'
import { route } from '../../http/serving/route.ts'
import { readProgress } from './progress.ts'

export const windDownRoutes = (app: FastifyInstance, context: Context): void => {
  route(app, context, readWindDown, () => readProgress(context.db))
}
