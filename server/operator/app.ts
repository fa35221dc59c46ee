import { randomUUID } from 'node:crypto'
import { health, readiness } from '@pool/contract/base/health'
import { refusal } from '@pool/contract/base/refusals'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { emailRoutes } from '../accounts/emails/routes.ts'
import { factorRoutes } from '../accounts/factors/routes.ts'
import { mailRoutes } from '../accounts/mail/routes.ts'
import { passwordRoutes } from '../accounts/passwords/routes.ts'
import { freezeRoutes } from '../accounts/recovery/freezes/routes.ts'
import { signInRoutes } from '../accounts/signIn/routes.ts'
import { peopleRoutes } from '../accounts/users/people/routes.ts'
import { userRoutes } from '../accounts/users/routes.ts'
import { proposalRoutes, staffProposalRoutes } from '../agreements/proposals/routes.ts'
import { type Log, quietOnTerminal } from '../base/process/log.ts'
import { nodeRoutes } from '../chain/nodes/routes.ts'
import { rateRoutes } from '../chain/rates/routes.ts'
import { walletRoutes } from '../chain/wallets/routes.ts'
import { batchRoutes } from '../coins/batches/routes.ts'
import { custodyRoutes } from '../coins/custody/routes.ts'
import { payoutRoutes } from '../coins/payouts/routes.ts'
import { reconciliationRoutes } from '../coins/reconciliation/routes.ts'
import { unseenRoutes } from '../coins/reconciliation/unseen/routes.ts'
import type { Hub } from '../http/changes/hub.ts'
import { changeRoutes } from '../http/changes/routes.ts'
import type { Context } from '../http/context.ts'
import { logAnswers } from '../http/serving/accessLog.ts'
import { drainConnections } from '../http/serving/connections.ts'
import { answerConnection, answerErrorOf } from '../http/serving/errors.ts'
import { healthRoutes } from '../http/serving/health.ts'
import { type Pages, readPages } from '../http/serving/pages.ts'
import { acceptJsonOnly, document, protect } from '../http/serving/plugins.ts'
import { requirePolicy } from '../http/serving/route.ts'
import { servePages } from '../http/serving/servePages.ts'
import { cutStalled } from '../http/serving/stalled.ts'
import { borrowerRoutes } from '../lending/borrowers/routes.ts'
import { loanRoutes } from '../lending/loans/routes.ts'
import { poolRoutes } from '../lending/pool/routes.ts'
import { windDownRoutes } from '../lending/windDown/routes.ts'
import { limitRoutes } from '../money/brakes/limits/routes.ts'
import { pauseRoutes } from '../money/brakes/pauses/routes.ts'
import { claimRoutes } from '../money/claims/routes.ts'
import { investmentRoutes } from '../money/investments/routes.ts'
import { payoutAddressRoutes } from '../money/payoutAddresses/routes.ts'
import { planRoutes } from '../money/plans/routes.ts'
import { auditRoutes } from '../records/audit/routes.ts'
import { signingRoutes } from '../records/signing/routes.ts'
import { figureRoutes } from '../reports/figures/routes.ts'
import { liabilityRoutes } from '../reports/liabilities/routes.ts'
import { noticeRoutes } from '../reports/notices/routes.ts'
import { ownDataRoutes } from '../reports/ownData/routes.ts'
import { statementRoutes } from '../reports/statements/routes.ts'
import { transactionRoutes } from '../requests/transactions/routes.ts'
import { jobRoutes, readStoppedWork } from './jobs/routes.ts'

/** Most bytes of a request's body. Payloads are far smaller, but for a list of wallets. */
const BODY_LIMIT = 64 * 1_024

/** The context, and the hub of the changes that clients follow. */
export type Served = Context & { readonly hub: Hub }

/** Adds hooks to the app before it has routes. */
export type Observer = (app: FastifyInstance) => void

/** Builds the request pipeline without listening: protection, the contract's calls, the web app. */
export const buildApp = async (
  context: Served,
  log: Log,
  {
    observers = [],
    pages = readPages(context),
  }: { readonly observers?: readonly Observer[]; readonly pages?: Pages } = {},
): Promise<FastifyInstance> => {
  // Long: the pipeline in the order in which a request passes it.
  const { config, timeouts } = context
  const app = Fastify({
    loggerInstance: quietOnTerminal(log, config) as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    requestTimeout: timeouts.arrival,
    // Node applies the longer of both timeouts to a body, and checks at this interval.
    http: {
      requestTimeout: timeouts.arrival,
      headersTimeout: timeouts.arrival,
      connectionsCheckingInterval: timeouts.arrival / 10,
    },
    trustProxy: config.trustProxy.length > 0 && [...config.trustProxy],
    requestIdHeader: false,
    genReqId: () => randomUUID(),
    routerOptions: { maxParamLength: 200 },
    frameworkErrors: answerErrorOf(context),
    clientErrorHandler: answerConnection,
    return503OnClosing: false,
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.decorateRequest('session', undefined)
  app.addHook('onRoute', requirePolicy)
  logAnswers(app, app.log)
  for (const observe of observers) observe(app)
  acceptJsonOnly(app)
  app.setErrorHandler(answerErrorOf(context))

  await protect(app, config, pages)
  await document(app, config)

  refuseUntilServing(app, context)
  healthRoutes(app, context, () => readStoppedWork(context))
  signInRoutes(app, context)
  passwordRoutes(app, context)
  emailRoutes(app, context)
  freezeRoutes(app, context)
  userRoutes(app, context)
  factorRoutes(app, context)
  walletRoutes(app, context)
  transactionRoutes(app, context)
  batchRoutes(app, context)
  investmentRoutes(app, context)
  planRoutes(app, context)
  payoutAddressRoutes(app, context)
  figureRoutes(app, context)
  poolRoutes(app, context)
  signingRoutes(app, context)
  liabilityRoutes(app, context)
  proposalRoutes(app, context)
  staffProposalRoutes(app, context)
  rateRoutes(app, context)
  peopleRoutes(app, context)
  auditRoutes(app, context)
  limitRoutes(app, context)
  mailRoutes(app, context)
  claimRoutes(app, context)
  borrowerRoutes(app, context)
  loanRoutes(app, context)
  windDownRoutes(app, context)
  nodeRoutes(app, context)
  jobRoutes(app, context)
  unseenRoutes(app, context)
  payoutRoutes(app, context)
  custodyRoutes(app, context)
  reconciliationRoutes(app, context)
  noticeRoutes(app, context)
  statementRoutes(app, context)
  ownDataRoutes(app, context)
  pauseRoutes(app, context)
  changeRoutes(app, context, context.hub)
  // Comes after the changes, so that their streams end before the drain.
  drainConnections(app)
  cutStalled(app, context)

  await servePages(app, pages)
  return app
}

/** Refuses all calls but health until the process serves. */
const refuseUntilServing = (app: FastifyInstance, { lifecycle }: Context): void => {
  app.addHook('onRequest', async ({ routeOptions: { url, config } }) => {
    const isAboutHealth = url === health.path || url === readiness.path
    if (lifecycle.stage() === 'starting' && config.access !== undefined && !isAboutHealth)
      throw refusal('unavailable')
  })
}
