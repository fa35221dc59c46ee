import { randomUUID } from 'node:crypto'
import { health, readiness } from '@pool/contract/health'
import { refusal } from '@pool/contract/refusals'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { auditRoutes } from './audit/routes.ts'
import { batchRoutes } from './batches/routes.ts'
import { borrowerRoutes } from './borrowers/routes.ts'
import type { Hub } from './changes/hub.ts'
import { changeRoutes } from './changes/routes.ts'
import { claimRoutes } from './claims/routes.ts'
import type { Context } from './context.ts'
import { custodyRoutes } from './custody/routes.ts'
import { emailRoutes } from './emails/routes.ts'
import { factorRoutes } from './factors/routes.ts'
import { figureRoutes } from './figures/routes.ts'
import { freezeRoutes } from './freezes/routes.ts'
import { logAnswers } from './http/accessLog.ts'
import { drainConnections } from './http/connections.ts'
import { answerConnection, answerErrorOf } from './http/errors.ts'
import { healthRoutes } from './http/health.ts'
import { type Pages, readPages } from './http/pages.ts'
import { acceptJsonOnly, document, protect } from './http/plugins.ts'
import { requirePolicy } from './http/route.ts'
import { servePages } from './http/servePages.ts'
import { cutStalled } from './http/stalled.ts'
import { investmentRoutes } from './investments/routes.ts'
import { jobRoutes, readStoppedWork } from './jobs/routes.ts'
import { liabilityRoutes } from './liabilities/routes.ts'
import { limitRoutes } from './limits/routes.ts'
import { loanRoutes } from './loans/routes.ts'
import { mailRoutes } from './mail/routes.ts'
import { nodeRoutes } from './nodes/routes.ts'
import { noticeRoutes } from './notices/routes.ts'
import { ownDataRoutes } from './ownData/routes.ts'
import { passwordRoutes } from './passwords/routes.ts'
import { pauseRoutes } from './pauses/routes.ts'
import { payoutAddressRoutes } from './payoutAddresses/routes.ts'
import { payoutRoutes } from './payouts/routes.ts'
import { peopleRoutes } from './people/routes.ts'
import { planRoutes } from './plans/routes.ts'
import { poolRoutes } from './pool/routes.ts'
import { type Log, quietOnTerminal } from './process/log.ts'
import { proposalRoutes, walletProposalRoutes } from './proposals/routes.ts'
import { rateRoutes } from './rates/routes.ts'
import { reconciliationRoutes } from './reconciliation/routes.ts'
import { signInRoutes } from './signIn/routes.ts'
import { signingRoutes } from './signing/routes.ts'
import { statementRoutes } from './statements/routes.ts'
import { transactionRoutes } from './transactions/routes.ts'
import { unseenRoutes } from './unseen/routes.ts'
import { userRoutes } from './users/routes.ts'
import { walletRoutes } from './wallets/routes.ts'
import { windDownRoutes } from './windDown/routes.ts'

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
  walletProposalRoutes(app, context)
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
