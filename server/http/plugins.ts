import compress from '@fastify/compress'
import cors from '@fastify/cors'
import rateLimit from '@fastify/rate-limit'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { IDEMPOTENCY_HEADER } from '@pool/contract/endpoint'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import type { Config } from '../config.ts'
import { requireHttps } from './https.ts'
import type { Pages } from './pages.ts'

/** Headers, origins, limits and compression: what holds for every answer. */
export const protect = async (
  app: FastifyInstance,
  config: Config,
  pages: Pages,
): Promise<void> => {
  const headers = securityHeaders(pages)
  const knownByTls = config.publicUrl.startsWith('https:')
  app.addHook('onRequest', (request, reply, next) => {
    reply.headers(headers)
    // Only where visitors come by TLS, as the operator or a trusted proxy says: elsewhere the
    // promise could not be kept.
    if (knownByTls || request.protocol === 'https')
      reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains')
    next()
  })
  requireHttps(app, config)
  await app.register(cors, {
    origin: [...config.allowedOrigins],
    methods: ['GET', 'POST', 'PUT', 'DELETE'],
    allowedHeaders: ['authorization', 'content-type', 'if-none-match', IDEMPOTENCY_HEADER],
    exposedHeaders: ['etag'],
    credentials: false,
  })
  await app.register(rateLimit, { global: false })
  await app.register(compress, { globalDecompression: false, threshold: 1_024 })
}

/** What a browser is told with every answer, put together once. */
const securityHeaders = ({ scriptHashes }: Pages): Readonly<Record<string, string>> => ({
  'content-security-policy': [
    "default-src 'none'",
    ["script-src 'self'", ...scriptHashes].join(' '),
    "script-src-attr 'none'",
    // Mantine sets custom properties in style attributes and one style element; styles cannot run
    // code.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join(';'),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
})

/**
 * The OpenAPI text, made from the contract, and its page at `/api/docs`, unless the operator keeps
 * them to themselves.
 */
export const document = async (app: FastifyInstance, config: Config): Promise<void> => {
  if (!config.apiDocs) return
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: config.productName,
        version: '1',
        description:
          'Every answer is an envelope `{ successful, narration, body }`. Amounts are US dollars with at most two decimals; moments are UTC arrays ' +
          `\`[year, month, day, hour, minute, second, nanosecond]\`. A reading has an \`ETag\`; sent back as \`If-None-Match\`, it is answered 304 while nothing has changed. Calls that move money honour the \`${IDEMPOTENCY_HEADER}\` header.`,
      },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
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

/**
 * JSON is the only content type (docs/threats.md T22). An empty body is no body: clients send the
 * header on calls without a payload, too.
 */
export const acceptJsonOnly = (app: FastifyInstance): void => {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) =>
    body === '' ? done(null, undefined) : parse(request, String(body), done),
  )
}
