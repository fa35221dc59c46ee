import * as contract from '@pool/contract/accessChanges'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { limits } from '../http/rateLimits.ts'
import { route } from '../http/route.ts'
import { askAccessChange } from './ask.ts'
import { approveAccessChange, declineAccessChange } from './decide.ts'
import { listAccessChanges } from './queries.ts'

export const accessChangeRoutes = (app: FastifyInstance, context: Context): void => {
  const options = limits(context, { perMinute: 30, per: 'user' })

  route(app, context, contract.listAccessChanges, ({ query }) =>
    listAccessChanges(context.db, query.userId),
  )

  route(
    app,
    context,
    contract.askAccessChange,
    ({ payload, by, language }) => askAccessChange(context, { by, language }, payload),
    options,
  )

  route(
    app,
    context,
    contract.approveAccessChange,
    ({ params, by }) => approveAccessChange(context, { id: params.id, by }),
    options,
  )

  route(
    app,
    context,
    contract.declineAccessChange,
    async ({ params, by }) => {
      await declineAccessChange(context, { id: params.id, by })
      return null
    },
    options,
  )
}
