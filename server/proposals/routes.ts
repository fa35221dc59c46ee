import * as contract from '@pool/contract/proposals'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { limits } from '../http/rateLimits.ts'
import { route } from '../http/route.ts'
import { askProposal } from './ask.ts'
import { approveProposal, declineProposal } from './decide.ts'
import { listProposals } from './queries.ts'

export const proposalRoutes = (app: FastifyInstance, context: Context): void => {
  const options = limits(context, { perMinute: 30, per: 'user' })

  route(app, context, contract.listProposals, ({ query }) =>
    listProposals(context.db, query.userId),
  )

  route(
    app,
    context,
    contract.askProposal,
    ({ payload, by, language }) => askProposal(context, { by, language }, payload),
    options,
  )

  route(
    app,
    context,
    contract.approveProposal,
    ({ params, by }) => approveProposal(context, { id: params.id, by }),
    options,
  )

  route(
    app,
    context,
    contract.declineProposal,
    async ({ params, by }) => {
      await declineProposal(context, { id: params.id, by })
      return null
    },
    options,
  )
}
