import * as contract from '@pool/contract/borrowers'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { route } from '../http/route.ts'
import { correctBorrower } from './correctBorrower.ts'
import * as queries from './queries.ts'
import { recordBorrower } from './recordBorrower.ts'

export const borrowerRoutes = (app: FastifyInstance, context: Context): void => {
  route(app, context, contract.listBorrowers, () => queries.listBorrowers(context.db))
  route(app, context, contract.recordBorrower, ({ payload, by }) =>
    recordBorrower(context, by, payload),
  )
  route(app, context, contract.correctBorrower, async ({ params, payload, by }) => {
    await correctBorrower(context, { id: params.id, payload, by })
    return null
  })
}
