import { centsFromDollars, dollarsFromCents, MINIMUM_WITHDRAWAL } from '@pool/contract/base/money'
import { refusal } from '@pool/contract/base/refusals'
import * as validation from '@pool/contract/base/validation'
import { markSent } from '@pool/contract/coins/sending'
import { withdrawalOrder } from '@pool/contract/coins/withdrawalOrder'
import {
  approve,
  confirm,
  reject,
  rejectByPayload,
  rejectByPut,
  rejectDeposit,
} from '@pool/contract/requests/decisions'
import { cancel, checkDestination, deposit, withdraw } from '@pool/contract/requests/requests'
import { transactionStory } from '@pool/contract/requests/stories'
import { balance, listTransactions, totalBalance } from '@pool/contract/requests/transactions'
import type { FastifyInstance } from 'fastify'
import { deriveWhenAsked } from '../../chain/wallets/deriveWallets.ts'
import type { Context } from '../../http/context.ts'
import { isStaff, readerOf, requireOwn } from '../../http/serving/access.ts'
import { limits } from '../../http/serving/rateLimits.ts'
import { route } from '../../http/serving/route.ts'
import { totalAvailable } from '../../ledger/families/accounts.ts'
import { currentWindDown } from '../../lending/windDown/windDown.ts'
import { approveWithdrawal } from './approveWithdrawal.ts'
import { cancelRequest } from './cancelRequest.ts'
import { checkDestination as checkIt } from './checkDestination.ts'
import { confirmDeposit } from './confirmDeposit.ts'
import { markSent as sendIt } from './markSent.ts'
import { countPassedOver } from './order.ts'
import * as queries from './queries.ts'
import { quotingOf } from './quotes.ts'
import { rejectDeposit as rejectIt } from './rejectDeposit.ts'
import { rejectWithdrawal } from './rejectWithdrawal.ts'
import { requestDeposit } from './requestDeposit.ts'
import { requestWithdrawal } from './requestWithdrawal.ts'
import { readTransactionStory } from './story.ts'
import { walletPace } from './walletPace.ts'

/** The calls about transactions: an investor's own, and the decisions of staff. */
export const transactionRoutes = (app: FastifyInstance, context: Context): void => {
  // Long: one call of the contract after the other, each with its policy, is a table.
  const { config, db, ledger } = context

  route(app, context, balance, async ({ payload, session }) => {
    requireOwn(session, payload.userId)
    return dollarsFromCents(await ledger.available(session.userId))
  })

  route(app, context, totalBalance, async () => dollarsFromCents(await totalAvailable(db)))

  route(app, context, listTransactions, async ({ query, session, lagging }) => {
    if (isStaff(session))
      return queries.listTransactions(context, {
        lagging,
        approverId: session.userId,
        userId: query.userId,
        request: query,
      })
    if (query.userId !== undefined) requireOwn(session, query.userId)
    return queries.listTransactions(context, { userId: session.userId, request: query })
  })

  route(app, context, deposit, async ({ payload, session, by, idempotency }) => {
    requireOwn(session, payload.userId)
    const { amount, description, networkName, coin } = payload
    const requested = await requestDeposit(ledger, {
      by,
      amount: centsFromDollars(amount),
      description,
      networkName,
      idempotency,
      walletPace: walletPace(config.newWallets, by.from),
      quoting: quotingOf(config, { coin, networkName }),
      derive: (network) => deriveWhenAsked(context, network),
    })
    return { ...requested, amount }
  })

  route(app, context, withdraw, async ({ payload, session, by, idempotency }) => {
    const { amount, description, destinationAddress, networkName, networkFee } = payload
    if (amount < MINIMUM_WITHDRAWAL && !(await currentWindDown(context.db)))
      throw refusal('validation', { message: validation.withdrawalMinimum, field: 'amount' })
    requireOwn(session, payload.userId)
    const requested = await requestWithdrawal(context, {
      by,
      amount: centsFromDollars(amount),
      fee: networkFee === undefined ? undefined : centsFromDollars(networkFee),
      description,
      destinationAddress,
      networkName,
      idempotency,
    })
    const { sent, ...body } = requested
    const share = networkFee === undefined ? {} : { networkFee }
    return { ...body, amount: dollarsFromCents(sent), ...share, status: 'PENDING' as const }
  })

  route(app, context, cancel, ({ params, by, idempotency }) =>
    cancelRequest(context, { transactionId: params.id, by, idempotency }),
  )

  route(
    app,
    context,
    checkDestination,
    ({ payload, session }) => checkIt(context, { userId: session.userId, ...payload }),
    limits(context, { perMinute: 60, per: 'user' }),
  )

  route(app, context, transactionStory, ({ params, session }) =>
    readTransactionStory(context, params.id, readerOf(session)),
  )

  decisionRoutes(app, context)
}

/** The decisions and marks of staff. Three paths reject in the same way (docs/threats.md T9). */
const decisionRoutes = (app: FastifyInstance, context: Context): void => {
  route(app, context, confirm, ({ payload, by, idempotency }) =>
    confirmDeposit(context, {
      ...payload,
      receivedAmount:
        payload.receivedAmount === undefined ? undefined : centsFromDollars(payload.receivedAmount),
      by,
      idempotency,
    }),
  )

  route(app, context, approve, ({ payload, by, idempotency }) =>
    approveWithdrawal(context, { ...payload, by, idempotency }),
  )

  route(app, context, reject, ({ params, payload, by, idempotency }) =>
    rejectWithdrawal(context, {
      transactionId: params.id,
      reason: payload.reason,
      by,
      idempotency,
    }),
  )
  route(app, context, rejectByPayload, ({ payload, by, idempotency }) =>
    rejectWithdrawal(context, { ...payload, by, idempotency }),
  )
  route(app, context, rejectByPut, ({ params, payload, by, idempotency }) =>
    rejectWithdrawal(context, {
      transactionId: params.id,
      reason: payload.reason,
      by,
      idempotency,
    }),
  )
  route(app, context, rejectDeposit, ({ params, payload, by, idempotency }) =>
    rejectIt(context, { ...payload, transactionId: params.id, by, idempotency }),
  )

  route(app, context, withdrawalOrder, async ({ payload, session }) => ({
    passedOver: await countPassedOver(context.db, context.config, {
      ...payload,
      by: session.userId,
    }),
  }))

  route(app, context, markSent, ({ params, payload, by }) =>
    sendIt(context, { ...payload, transactionId: params.id, by }),
  )
}
