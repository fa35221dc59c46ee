import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import fastifyAccepts from '@fastify/accepts'
import fastifyStatic from '@fastify/static'
import { isLanguage, LANGUAGE_PARAMETER, type Language, languages } from '@pool/contract/languages'
import { refusal } from '@pool/contract/refusals'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { auditRoutes } from './audit/routes.ts'
import type { Context } from './context.ts'
import { eventRoutes } from './events/routes.ts'
import { figureRoutes } from './figures/routes.ts'
import { answerConnection, answerError, failure, handleErrors } from './http/errors.ts'
import { healthRoutes } from './http/health.ts'
import { encodings, type Page, readPages } from './http/pages.ts'
import { document, protect } from './http/plugins.ts'
import { requirePolicy } from './http/route.ts'
import { investmentRoutes } from './investments/routes.ts'
import { limitRoutes } from './limits/routes.ts'
import type { Log } from './log.ts'
import { payoutRoutes } from './payouts/routes.ts'
import { switchRoutes } from './switches/routes.ts'
import { transactionRoutes } from './transactions/routes.ts'
import { userRoutes } from './users/routes.ts'
import { walletRoutes } from './wallets/routes.ts'

/** The largest request that is read, in bytes: every payload of the contract fits many times. */
const BODY_LIMIT = 64 * 1_024

/** Is shown the app before it has routes, to look at what passes. */
export type Observer = (app: FastifyInstance) => void

/**
 * The request pipeline: protection, then the calls of the contract, then the web app. Not yet
 * listening.
 */
export const buildApp = async (
  context: Context,
  log: Log,
  observers: readonly Observer[] = [],
): Promise<FastifyInstance> => {
  const { config, timeouts } = context
  const pages = readPages(config)
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    requestTimeout: timeouts.arrival,
    // Node keeps to the longer of the two timeouts while a body is on its way, and looks this
    // often.
    http: {
      requestTimeout: timeouts.arrival,
      headersTimeout: timeouts.arrival,
      connectionsCheckingInterval: timeouts.arrival / 10,
    },
    trustProxy: config.trustProxy.length > 0 && [...config.trustProxy],
    requestIdHeader: false,
    genReqId: () => randomUUID(),
    routerOptions: { maxParamLength: 200 },
    frameworkErrors: answerError,
    clientErrorHandler: answerConnection,
    return503OnClosing: false,
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.decorateRequest('session', undefined)
  app.addHook('onRoute', requirePolicy)
  // Nothing in this line can be a secret, and to look for one in every line takes as long as to
  // write it.
  const access = log.child({}, { redact: [] })
  app.addHook('onResponse', async (request, reply) => {
    const milliseconds = Math.round(reply.elapsedTime * 10) / 10
    const refused = reply.statusCode === 403 && refusedTo(request)
    access.info(
      { reqId: request.id, req: request, status: reply.statusCode, milliseconds, ...refused },
      'answered',
    )
  })
  for (const observe of observers) observe(app)
  acceptJsonOnly(app)
  handleErrors(app)

  await protect(app, config, pages)
  await document(app, config)

  healthRoutes(app, context)
  userRoutes(app, context)
  walletRoutes(app, context)
  transactionRoutes(app, context)
  investmentRoutes(app, context)
  payoutRoutes(app, context)
  figureRoutes(app, context)
  auditRoutes(app, context)
  limitRoutes(app, context)
  switchRoutes(app, context)
  eventRoutes(app, context)
  // After the events, whose streams are to end before the waiting begins.
  letGoOfConnections(app)

  await app.register(fastifyAccepts)
  await app.register(fastifyStatic, {
    root: pages.directory,
    serve: true,
    wildcard: false,
    index: false,
    globIgnore: ['**/*.{html,webmanifest,br,gz}'],
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) =>
      reply.header(
        'cache-control',
        path.startsWith(join(pages.directory, 'assets'))
          ? 'public, max-age=31536000, immutable'
          : 'no-cache',
      ),
  })
  app.setNotFoundHandler((request, reply) => {
    const isPage =
      ['GET', 'HEAD'].includes(request.method) && !/^\/(api|assets)(\/|$)/.test(request.url)
    const page = isPage ? pages.find(pathOf(request.url), languageOf(request)) : undefined
    if (page === undefined)
      return reply
        .status(404)
        .type('application/json')
        .send(JSON.stringify(failure(refusal('routeNotFound'))))
    return sendPage(request, reply, page)
  })
  return app
}

/** To whom a call was refused, by their id, and which right it takes. */
const refusedTo = ({ session, routeOptions }: FastifyRequest) => ({
  userId: session?.userId,
  route: routeOptions.url,
  right: routeOptions.config.access,
})

const sendPage = async (request: FastifyRequest, reply: FastifyReply, page: Page) => {
  reply
    .header('cache-control', 'no-cache')
    .header('vary', 'accept-language, accept-encoding')
    .header('etag', page.tag)
  if (request.headers['if-none-match'] === page.tag) return reply.status(304).send()
  reply.type(page.type)
  const encoding = encodings.find((known) => request.encoding([...encodings, 'identity']) === known)
  return encoding
    ? reply.header('content-encoding', encoding).send(await page.compressed(encoding))
    : reply.send(page.plain)
}

/** The language that the address asks for, else the browser's, else the first. */
const languageOf = (request: FastifyRequest): Language => {
  const asked = (request.query as Readonly<Record<string, unknown>>)[LANGUAGE_PARAMETER]
  return [asked, request.language([...languages])].find(isLanguage) ?? languages[0]
}

const pathOf = (url: string): string => url.split('?')[0] ?? '/'

/**
 * JSON is the only content type (docs/threats.md T22). An empty body is no body: clients send the
 * header on calls without a payload, too.
 */
const acceptJsonOnly = (app: FastifyInstance): void => {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) =>
    body === '' ? done(null, undefined) : parse(request, String(body), done),
  )
}

/**
 * How long, in milliseconds, a stopping server still takes what is on its way to it: connections
 * not yet accepted, requests not yet read.
 */
const FAREWELL = 500

/**
 * Stopping loses no request. At first whatever has already been sent is still taken, while Fastify
 * ends each connection with its answer; only then is the door closed and the idle connections are
 * cut, kept-alive ones and those that never asked for anything, so that they do not hold the
 * process back.
 */
const letGoOfConnections = (app: FastifyInstance): void => {
  const connections = new Set<Socket>()
  app.server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  const cut = () => {
    app.server.closeIdleConnections()
    // Browsers open connections ahead of use. Node takes one that has not sent a byte for a request
    // under way.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
  }
  app.addHook('preClose', async () => {
    if (!app.server.listening) return
    await wait(FAREWELL)
    const cutting = setInterval(cut, 50)
    app.server.once('close', () => clearInterval(cutting))
    cutting.unref()
  })
}
