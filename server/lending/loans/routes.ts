import * as files from '@pool/contract/lending/loanFiles'
import * as onRecord from '@pool/contract/lending/loanRecords'
import * as contract from '@pool/contract/lending/loans'
import { listLosses } from '@pool/contract/lending/losses'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../http/context.ts'
import { route } from '../../http/serving/route.ts'
import { addDocument } from '../borrowers/documents.ts'
import { closeLoan } from './closeLoan.ts'
import { exportLoanFile } from './exportFile.ts'
import { readLosses } from './lossBook.ts'
import * as queries from './queries.ts'
import { recordLoan } from './recordLoan.ts'
import * as records from './records.ts'
import { readLoanStory } from './story.ts'

export const loanRoutes = (app: FastifyInstance, context: Context): void => {
  route(app, context, contract.listLoans, ({ query, lagging }) =>
    queries.listLoans(context, query, lagging),
  )
  route(app, context, listLosses, () => readLosses(context))
  route(app, context, contract.loanStory, ({ params }) => readLoanStory(context, params.id))
  route(app, context, contract.recordLoan, ({ payload, by }) => recordLoan(context, by, payload))
  route(app, context, contract.closeLoan, async ({ params, payload, by }) => {
    await closeLoan(context, { ...payload, loanId: params.id, by })
    return null
  })
  route(app, context, onRecord.addCollateral, ({ params, payload, by }) =>
    records.addCollateral(context, { loanId: params.id, payload, by }),
  )
  route(app, context, onRecord.withdrawCollateral, async ({ params, payload, by }) => {
    await records.withdrawCollateral(context, { ...payload, id: params.id, by })
    return null
  })
  route(app, context, onRecord.addLoanDocument, ({ params, payload, by }) =>
    addDocument(context, { subject: { type: 'loan', id: params.id }, payload, by }),
  )
  route(app, context, onRecord.writeUpdate, ({ params, payload, by }) =>
    records.writeUpdate(context, { ...payload, loanId: params.id, by }),
  )
  route(app, context, files.exportLoanFile, ({ params }) => exportLoanFile(context.db, params.kind))
}
