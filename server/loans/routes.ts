import * as late from '@pool/contract/lateLoans'
import * as files from '@pool/contract/loanFiles'
import * as contract from '@pool/contract/loans'
import { listLosses } from '@pool/contract/losses'
import { centsFromDollars } from '@pool/contract/money'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { route } from '../http/route.ts'
import { closeLoan } from './closeLoan.ts'
import { exportLoanFile } from './exportFile.ts'
import { importLoanFile } from './importFile.ts'
import { readLosses } from './lossBook.ts'
import * as queries from './queries.ts'
import { recordLoan } from './recordLoan.ts'
import { recoverLoan } from './recover.ts'
import { repayLoan } from './repay.ts'
import { reverseRepayment } from './reverseRepayment.ts'
import { readLoanStory } from './story.ts'

/** Bytes of an imported file: 10,000 long lines. */
const FILE_LIMIT = 4 * 1_024 * 1_024

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
  route(app, context, contract.repayLoan, ({ params, payload, by, idempotency }) =>
    repayLoan(context, {
      ...{ ...payload, loanId: params.id, by, idempotency },
      amount: centsFromDollars(payload.amount),
    }),
  )
  route(
    app,
    context,
    files.importLoanFile,
    ({ params, payload, by }) => importLoanFile(context, params.kind, { ...payload, by }),
    { bodyLimit: FILE_LIMIT },
  )
  route(app, context, files.exportLoanFile, ({ params }) => exportLoanFile(context.db, params.kind))
  route(app, context, late.recoverLoan, ({ params, payload, by, idempotency }) =>
    recoverLoan(context, {
      ...{ ...payload, loanId: params.id, by, idempotency },
      amount: centsFromDollars(payload.amount),
    }),
  )
  route(app, context, contract.reverseRepayment, async ({ params, payload, by }) => {
    await reverseRepayment(context, { ...payload, repaymentId: params.id, by })
    return null
  })
}
