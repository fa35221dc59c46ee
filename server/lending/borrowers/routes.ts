import * as contract from '@pool/contract/lending/borrowers'
import { addBorrowerDocument, withdrawDocument } from '@pool/contract/lending/loanRecords'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../http/context.ts'
import { route } from '../../http/serving/route.ts'
import { correctBorrower } from './correctBorrower.ts'
import * as documents from './documents.ts'
import * as queries from './queries.ts'
import { recordBorrower } from './recordBorrower.ts'

export const borrowerRoutes = (app: FastifyInstance, context: Context): void => {
  route(app, context, contract.listBorrowers, ({ query, lagging }) =>
    queries.listBorrowers(context.db, query, lagging),
  )
  route(app, context, contract.borrowerStory, ({ params }) =>
    queries.readBorrowerStory(context.db, params.id),
  )
  route(app, context, contract.recordBorrower, ({ payload, by }) =>
    recordBorrower(context, by, payload),
  )
  route(app, context, contract.correctBorrower, async ({ params, payload, by }) => {
    await correctBorrower(context, { id: params.id, payload, by })
    return null
  })
  route(app, context, addBorrowerDocument, ({ params, payload, by }) =>
    documents.addDocument(context, { subject: { type: 'borrower', id: params.id }, payload, by }),
  )
  route(app, context, withdrawDocument, async ({ params, payload, by }) => {
    await documents.withdrawDocument(context, { ...payload, id: params.id, by })
    return null
  })
}
