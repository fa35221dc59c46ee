import * as contract from '@pool/contract/agreements/proposals'
import * as waiting from '@pool/contract/agreements/staffProposals'
import * as addressKeys from '@pool/contract/chain/addressKeys'
import * as rates from '@pool/contract/chain/rates'
import * as wallets from '@pool/contract/chain/wallets'
import { markCompleted } from '@pool/contract/coins/sending'
import * as lateLoans from '@pool/contract/lending/lateLoans'
import { importLoanFile } from '@pool/contract/lending/loanFiles'
import * as loans from '@pool/contract/lending/loans'
import type { FastifyInstance } from 'fastify'
import { listKeys } from '../../chain/wallets/addressKeys.ts'
import { deriveWallets } from '../../chain/wallets/deriveWallets.ts'
import type { Context } from '../../http/context.ts'
import { limits } from '../../http/serving/rateLimits.ts'
import { route } from '../../http/serving/route.ts'
import { postAgreedFiles } from '../../lending/loans/agreedFiles.ts'
import { askProposal } from './ask.ts'
import { completeOrAsk } from './askForCompletions.ts'
import * as askedKeys from './askForKeys.ts'
import * as askedLateLoans from './askForLateLoans.ts'
import * as askedLoans from './askForLoans.ts'
import { setRate } from './askForRates.ts'
import * as askedRepayments from './askForRepayments.ts'
import * as asked from './askForWallets.ts'
import { approveProposal, declineProposal } from './decide.ts'
import { listProposals } from './queries.ts'

/** Bytes of an imported file: 10,000 long lines. */
const FILE_LIMIT = 4 * 1_024 * 1_024
/** Most bytes of a list: 10,000 of the longest addresses, which have 90 characters. */
const LIST_LIMIT = 1_024 * 1_024

export const proposalRoutes = (app: FastifyInstance, context: Context): void => {
  const options = limits(context, { perMinute: 30, per: 'user' })

  route(app, context, contract.listProposals, ({ query }) => listProposals(context.db, query))

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

/** Calls of staff about wallets, rates and loans that a second one may have to approve. */
export const staffProposalRoutes = (app: FastifyInstance, context: Context): void => {
  // Long: one call of the contract after the other, each with its policy, is a table.
  route(app, context, wallets.createWallet, ({ payload, ...asking }) =>
    asked.addWallet(context, asking, payload),
  )
  route(
    app,
    context,
    wallets.createWallets,
    ({ payload, ...asking }) => asked.addWallets(context, asking, payload),
    { bodyLimit: LIST_LIMIT },
  )
  route(app, context, wallets.deleteWallet, ({ params, ...asking }) =>
    asked.deleteWallet(context, asking, params.id),
  )
  route(app, context, wallets.archiveWallet, ({ params, ...asking }) =>
    asked.archiveWallet(context, asking, params.id),
  )

  route(app, context, waiting.listOpenProposals, () => listProposals(context.db, { byStaff: true }))
  route(app, context, waiting.listProposedAddresses, ({ params }) =>
    askedKeys.waitingAddresses(context, params.id),
  )
  route(app, context, waiting.approveOpenProposal, async ({ params, by }) => {
    await approveProposal(context, { id: params.id, by, byStaff: true })
    // The jobs do what fails here.
    await deriveWallets(context).catch(() => undefined)
    await postAgreedFiles(context).catch(() => undefined)
    return null
  })
  route(app, context, waiting.declineOpenProposal, async ({ params, by }) => {
    await declineProposal(context, { id: params.id, by, byStaff: true })
    return null
  })

  route(app, context, addressKeys.listKeys, () => listKeys(context.db))
  route(app, context, addressKeys.readKey, async ({ payload }) =>
    askedKeys.readKey(context, payload),
  )
  route(app, context, addressKeys.addKey, ({ payload, ...asking }) =>
    askedKeys.addKey(context, asking, payload),
  )
  route(app, context, addressKeys.endKey, ({ params, ...asking }) =>
    askedKeys.endKey(context, asking, params.id),
  )

  route(app, context, loans.askLoanApproval, ({ params, payload, ...asking }) =>
    askedLoans.askApproval(context, { ...asking, loanId: params.id }, payload.reason),
  )
  route(app, context, loans.askDisbursement, ({ params, payload, ...asking }) =>
    askedLoans.askDisbursement(context, { ...asking, loanId: params.id }, payload),
  )
  route(app, context, loans.askSending, ({ params, payload, ...asking }) =>
    askedLoans.askSending(context, { ...asking, loanId: params.id }, payload),
  )
  route(app, context, loans.askRelease, ({ params, payload, ...asking }) =>
    askedLoans.askRelease(context, { ...asking, loanId: params.id }, payload.reason),
  )

  route(app, context, loans.repayLoan, ({ params, payload, ...asking }) =>
    askedRepayments.repayOrAsk(context, { ...asking, loanId: params.id }, payload),
  )
  route(app, context, loans.reverseRepayment, ({ params, payload, ...asking }) =>
    askedRepayments.reverseOrAsk(context, { ...asking, ...payload, repaymentId: params.id }),
  )
  route(app, context, loans.recountLoan, ({ params, payload, ...asking }) =>
    askedRepayments.askRecount(context, { ...asking, loanId: params.id }, payload.reason),
  )
  route(
    app,
    context,
    importLoanFile,
    ({ params, payload, ...asking }) =>
      askedRepayments.importOrAsk(context, asking, { ...payload, kind: params.kind }),
    { bodyLimit: FILE_LIMIT },
  )
  route(app, context, markCompleted, ({ params, ...asking }) =>
    completeOrAsk(context, { ...asking, transactionId: params.id }),
  )

  route(app, context, lateLoans.askDefault, ({ params, payload, ...asking }) =>
    askedLateLoans.askDefault(context, { ...asking, loanId: params.id }, payload.reason),
  )
  route(app, context, lateLoans.askLoanWriteOff, ({ params, payload, ...asking }) =>
    askedLateLoans.askWriteOff(context, { ...asking, loanId: params.id }, payload),
  )
  route(app, context, lateLoans.askRecovery, ({ params, payload, ...asking }) =>
    askedLateLoans.askRecovery(context, { ...asking, loanId: params.id }, payload),
  )
  route(app, context, lateLoans.askRestructuring, ({ params, payload, ...asking }) =>
    askedLateLoans.askRestructuring(context, { ...asking, loanId: params.id }, payload),
  )

  route(app, context, rates.setRate, ({ payload, ...asking }) => setRate(context, asking, payload))
}
