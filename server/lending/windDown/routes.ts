import { readWindDown } from '@pool/contract/windDown'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { route } from '../http/route.ts'
import { readProgress } from './progress.ts'

export const windDownRoutes = (app: FastifyInstance, context: Context): void => {
  route(app, context, readWindDown, () => readProgress(context.db))
}
