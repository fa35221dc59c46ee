import { randomUUID } from 'node:crypto'
import { health, readiness } from '@pool/contract/base/health'
import { refusal } from '@pool/contract/base/refusals'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { accountRoutes } from '../accounts/routes.ts'
import { proposalRoutes, staffProposalRoutes } from '../agreements/proposals/routes.ts'
import { type Log, quietOnTerminal } from '../base/process/log.ts'
import { chainRoutes } from '../chain/routes.ts'
import { coinRoutes } from '../coins/routes.ts'
import type { Hub } from '../http/changes/hub.ts'
import { changeRoutes } from '../http/changes/routes.ts'
import type { Context, RoomRoutes } from '../http/context.ts'
import { logAnswers } from '../http/serving/accessLog.ts'
import { drainConnections } from '../http/serving/connections.ts'
import { answerConnection, answerErrorOf } from '../http/serving/errors.ts'
import { healthRoutes } from '../http/serving/health.ts'
import { type Pages, readPages } from '../http/serving/pages.ts'
import { acceptJsonOnly, document, protect } from '../http/serving/plugins.ts'
import { requirePolicy } from '../http/serving/route.ts'
import { servePages } from '../http/serving/servePages.ts'
import { cutStalled } from '../http/serving/stalled.ts'
import { lendingRoutes } from '../lending/routes.ts'
import { moneyRoutes } from '../money/routes.ts'
import { auditRoutes, signingRoutes } from '../records/audit/routes.ts'
import { reportRoutes } from '../reports/routes.ts'
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
  for (const addRoutes of routes) addRoutes(app, context)
  changeRoutes(app, context, context.hub)
  // Comes after the changes, so that their streams end before the drain.
  drainConnections(app)
  cutStalled(app, context)

  await servePages(app, pages)
  return app
}

/** The calls of every district. */
const routes: readonly RoomRoutes[] = [
  auditRoutes,
  signingRoutes,
  ...accountRoutes,
  ...chainRoutes,
  ...moneyRoutes,
  ...lendingRoutes,
  ...coinRoutes,
  transactionRoutes,
  proposalRoutes,
  staffProposalRoutes,
  ...reportRoutes,
  jobRoutes,
]

/** Refuses all calls but health until the process serves. */
const refuseUntilServing = (app: FastifyInstance, { lifecycle }: Context): void => {
  app.addHook('onRequest', async ({ routeOptions: { url, config } }) => {
    const isAboutHealth = url === health.path || url === readiness.path
    if (lifecycle.stage() === 'starting' && config.access !== undefined && !isAboutHealth)
      throw refusal('unavailable')
  })
}
