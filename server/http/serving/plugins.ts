import { isUtf8 } from 'node:buffer'
import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import compress from '@fastify/compress'
import cors from '@fastify/cors'
import rateLimit from '@fastify/rate-limit'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { READING_KEY } from '@pool/contract/accounts/readingKeys'
import { IDEMPOTENCY_HEADER } from '@pool/contract/base/endpoint'
import { AS_OF_HEADER } from '@pool/contract/base/lists'
import { listStatements } from '@pool/contract/reports/statements'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import helmet, { type HelmetOptions } from 'helmet'
import type { Config } from '../../base/configuration/config.ts'
import { requireHttps } from './https.ts'
import type { Pages } from './pages.ts'

/** Adds headers, origins, limits and compression to every response. */
export const protect = async (
  app: FastifyInstance,
  config: Config,
  pages: Pages,
): Promise<void> => {
  sendSecurityHeaders(app, config, pages)
  requireHttps(app, config)
  await app.register(cors, {
    origin: [...config.allowedOrigins],
    methods: ['GET', 'POST', 'PUT', 'DELETE'],
    allowedHeaders: ['authorization', 'content-type', 'if-none-match', IDEMPOTENCY_HEADER],
    exposedHeaders: ['etag', AS_OF_HEADER],
    credentials: false,
    // Its refusal of an incomplete preflight would be plain text, without the envelope.
    strictPreflight: false,
  })
  await app.register(rateLimit, { global: false })
  await app.register(compress, { globalDecompression: false, threshold: 1_024 })
}

/** Sends the headers of helmet, whose Fastify plugin costs more (docs/decisions/018). */
const sendSecurityHeaders = (app: FastifyInstance, { publicUrl }: Config, pages: Pages): void => {
  const csp = contentSecurityPolicy(pages)
  const inTheClear = securityHeaders({ contentSecurityPolicy: csp, strictTransportSecurity: false })
  const withHsts = securityHeaders({ contentSecurityPolicy: csp })
  app.addHook('onRequest', (request, reply, next) => {
    // Sends HSTS only with TLS, since a browser would insist on it later.
    const hasTls = publicUrl.startsWith('https:') || request.protocol === 'https'
    reply.headers(hasTls ? withHsts : inTheClear)
    next()
  })
}

/** Takes the headers from helmet once. Set on each response, they cost twice as much. */
const securityHeaders = (options: HelmetOptions): OutgoingHttpHeaders => {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  response.setHeader('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=()')
  helmet(options)(request, response, (error) => {
    if (error) throw error
  })
  return response.getHeaders()
}

const contentSecurityPolicy = ({ scriptHashes }: Pages) => ({
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'", ...scriptHashes],
    scriptSrcAttr: ["'none'"],
    // Mantine needs style attributes and one style element.
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:'],
    fontSrc: ["'self'"],
    connectSrc: ["'self'"],
    manifestSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
  },
})

/** Serves the OpenAPI text of the contract, and its page at `/api/docs`, unless turned off. */
export const document = async (app: FastifyInstance, config: Config): Promise<void> => {
  if (!config.apiDocs) return
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: config.productName,
        version: '1',
        description:
          'Every response is an envelope `{ successful, narration, body }`. Amounts are US dollars with at most two decimals. Moments are UTC arrays ' +
          `\`[year, month, day, hour, minute, second, nanosecond]\`. A read has an \`ETag\`. Sent back as \`If-None-Match\`, it gets a 304 while nothing has changed. Lists for staff may come from a replica, with their moment in the \`${AS_OF_HEADER}\` header. Calls that move money accept the \`${IDEMPOTENCY_HEADER}\` header.`,
      },
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'The token of a session.' },
          readingKey: {
            type: 'http',
            scheme: 'bearer',
            description: `A key for reading, which begins with \`${READING_KEY}\`. It opens the calls that name it: \`curl -H "Authorization: Bearer $KEY" ${config.linkOrigin}${listStatements.path}\``,
          },
        },
      },
    },
    transform: jsonSchemaTransform,
  })
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    staticCSP: true,
    theme: {
      title: `${config.productName} API`,
      css: [{ filename: 'theme.css', content: '.swagger-ui .topbar { display: none }' }],
    },
  })
}

/** Accepts JSON only (docs/threats.md T22). An empty body with a JSON header is none. */
export const acceptJsonOnly = (app: FastifyInstance): void => {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.decorateRequest('bodyLength', 0)
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    request.bodyLength = body.length
    if (body.length === 0) done(null, undefined)
    // Letters of another code would become U+FFFD, and go on record so.
    else if (isUtf8(body as Buffer)) parse(request, String(body), done)
    else done(Object.assign(new SyntaxError('The body is not UTF-8'), { statusCode: 400 }))
  })
}
