import { Readable } from 'node:stream'
import type { Access, Body, Endpoint, Payload } from '@pool/contract/base/endpoint'
import { envelopeSchema, failureSchema, pagedEnvelopeSchema } from '@pool/contract/base/envelope'
import { type Language, languages } from '@pool/contract/base/languages'
import { AS_OF_HEADER } from '@pool/contract/base/lists'
import { refusal } from '@pool/contract/base/refusals'
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RouteOptions,
  RouteShorthandOptions,
} from 'fastify'
import { z } from 'zod'
import type { Config } from '../../base/configuration/config.ts'
import type { LaggingReads } from '../../base/db/replica.ts'
import type { ListResult } from '../../base/lists/list.ts'
import { type Caller, callerOf } from '../../base/sessions/actor.ts'
import type { Session } from '../../base/sessions/sessions.ts'
import type { Idempotency } from '../../ledger/families/movement.ts'
import type { Context } from '../context.ts'
import { authorize, bearerToken, isStaff, staffOf, visibleUser } from './access.ts'
import { setEtag } from './etag.ts'
import { idempotencyOf } from './idempotency.ts'
import { preferredLanguage } from './language.ts'
import { requirePace } from './moneyPace.ts'
import { type Producer, type StreamReader, streamBytes, streamList } from './streaming.ts'

type Parsed<Schema> = Schema extends z.ZodType ? z.infer<Schema> : undefined

/** Input of a handler: the validated call, and its caller unless it is public. */
export type Call<E extends Endpoint> = {
  readonly payload: Payload<E>
  readonly params: E extends { params: infer Schema } ? Parsed<Schema> : undefined
  readonly query: E extends { query: infer Schema } ? Parsed<Schema> : undefined
  readonly session: E['access'] extends 'public'
    ? E extends { tellsStaffMore: true }
      ? Session | undefined
      : undefined
    : Session
  /** The caller, for the audit trail. Undefined for a public call. */
  readonly by: E['access'] extends 'public' ? undefined : Caller
  readonly idempotency: Idempotency | undefined
  /** Reads of staff that may lag. Undefined for other calls, and without a replica. */
  readonly lagging: LaggingReads | undefined
  /** The caller's language, for mails and files. */
  readonly language: Language
  /** IP address of the client, past the trusted proxies. */
  readonly ip: string
  /** Origin of the product, which no caller but one on this machine can name. */
  readonly origin: string
  /** The client's name for itself, which can be forged. */
  readonly userAgent: string
}

/** A handler's result: a body, a page of rows, or a stream for long lists. */
export type Answered<E extends Endpoint> = E extends { paged: object; body: z.ZodArray<infer Row> }
  ? ListResult<z.infer<Row>>
  : Body<E>

declare module 'fastify' {
  interface FastifyRequest {
    session: Session | undefined
    /** The characters of the body as it was sent. */
    bodyLength: number
  }
  interface FastifyContextConfig {
    access?: Access
  }
}

/** Stops the start for a route under `/api/v1` without a policy (docs/threats.md T3). */
export const requirePolicy = ({ url, config }: RouteOptions): void => {
  if (url.startsWith('/api/v1') && config?.access === undefined)
    throw new Error(`${url} has no policy`)
}

/**
 * Registers a call of the contract. Checks session and right once the body has arrived. With
 * `streamRoute` it is the only way to add a route under `/api` (docs/threats.md T3).
 */
export const route = <const E extends Endpoint>(
  app: FastifyInstance,
  context: Context,
  endpoint: E,
  handle: (call: Call<E>) => Promise<Answered<E>>,
  options: RouteShorthandOptions = {},
): void => {
  const answer = (endpoint.paged ? pagedEnvelopeSchema : envelopeSchema)(endpoint.body)
  app.route({
    ...options,
    onSend: [options.onSend ?? [], endpoint.method === 'GET' ? setEtag : []].flat(),
    ...guarded(context, endpoint, { options, answer }),
    handler: async (request, reply) => {
      requirePace(context, endpoint, request)
      const asked = callOf(context, endpoint, request)
      const answered = await handle(asked)
      if (endpoint.maxAgeSeconds !== undefined)
        reply.header('cache-control', `public, max-age=${endpoint.maxAgeSeconds}`)
      const narration = narrationOf(endpoint, answered)
      if (!endpoint.paged) return { successful: true, narration, body: answered }
      const listed = answered as ListResult<unknown>
      const sayAge = () => {
        const asOf = asked.lagging?.asOf()
        if (asOf) reply.header(AS_OF_HEADER, asOf.toISOString())
      }
      if ('rows' in listed) {
        sayAge()
        return {
          successful: true,
          narration,
          body: listed.rows,
          ...(listed.page && { page: listed.page }),
        }
      }
      reply.type(JSON_TYPE)
      if (request.method === 'HEAD') return reply.send(Readable.from([]))
      const reader = streamReader(context, endpoint, request)
      const sending = { narration, body: endpoint.body, reader, context }
      const stream = await streamList(listed.stream, sending)
      sayAge()
      return reply.send(stream)
    },
  })
}

/** The call of a stream, with access to its connection. */
export type StreamCall<E extends Endpoint> = Call<E> & {
  /**
   * Checks the session without prolonging it. Throws when it ended or lost the right to this call.
   */
  readonly lookAgain: () => Promise<Session>
  /** Cuts the connection unless the whole response has been sent. */
  readonly cut: () => void
}

/**
 * Registers a call whose response goes on. Like {@link route}, but sends `open`'s stream as it is.
 */
export const streamRoute = <
  const E extends Endpoint & { access: Exclude<Access, 'public'>; streams: true },
>(
  app: FastifyInstance,
  context: Context,
  endpoint: E,
  open: (call: StreamCall<E>) => Readable,
): void => {
  const answer = { content: { [EVENT_STREAM]: { schema: z.string() } } }
  app.route({
    ...guarded(context, endpoint, { options: {}, answer }),
    // A HEAD request would open a stream without a reader.
    exposeHeadRoute: false,
    handler: (request, reply) => {
      const lookAgain = () => authorize(context, endpoint, request)
      const cut = () => void (reply.raw.writableFinished || reply.raw.destroy())
      const stream = open({ ...callOf(context, endpoint, request), lookAgain, cut })
      // Tells proxies to pass on each event at once.
      return reply.type(EVENT_STREAM).header('x-accel-buffering', 'no').send(stream)
    },
  })
}

type Download = { readonly name: string; readonly produce: Producer }

/** Registers a call whose response is a file. Like {@link route}, but sends `open`'s bytes. */
export const downloadRoute = <
  const E extends Endpoint & {
    access: Exclude<Access, 'public'>
    downloads: NonNullable<Endpoint['downloads']>
  },
>(
  app: FastifyInstance,
  context: Context,
  endpoint: E,
  open: (call: Call<E>) => Promise<Download>,
  options: RouteShorthandOptions = {},
): void => {
  const answer = { content: { [endpoint.downloads]: { schema: z.string() } } }
  app.route({
    ...options,
    ...guarded(context, endpoint, { options, answer }),
    handler: async (request, reply) => {
      const { name, produce } = await open(callOf(context, endpoint, request))
      const reader = streamReader(context, endpoint, request)
      const stream = await streamBytes(produce, { reader, context })
      return reply
        .type(endpoint.downloads)
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(stream)
    },
  })
}

/** Registers a public call whose response is a file. Any cache may hold it. */
export const fileRoute = <
  const E extends Endpoint & {
    access: 'public'
    downloads: NonNullable<Endpoint['downloads']>
    maxAgeSeconds: number
  },
>(
  app: FastifyInstance,
  context: Context,
  endpoint: E,
  open: (call: Call<E>) => Promise<{ readonly name: string; readonly file: Readable }>,
  options: RouteShorthandOptions = {},
): void => {
  const answer = { content: { [endpoint.downloads]: { schema: z.string() } } }
  app.route({
    ...options,
    ...guarded(context, endpoint, { options, answer }),
    handler: async (request, reply) => {
      const { name, file } = await open(callOf(context, endpoint, request))
      return reply
        .type(endpoint.downloads)
        .header('cache-control', `public, max-age=${endpoint.maxAgeSeconds}`)
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(file)
    },
  })
}

const EVENT_STREAM = 'text/event-stream'
const JSON_TYPE = 'application/json; charset=utf-8'

/** Options of every route: URL, policy and schemas. */
const guarded = (
  context: Context,
  endpoint: Endpoint,
  { options, answer }: { options: RouteShorthandOptions; answer: unknown },
) => {
  const { access, forReadingKeys, tellsStaffMore } = endpoint
  return {
    method: endpoint.method,
    config: { ...options.config, access },
    url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
    schema: {
      summary: endpoint.summary,
      tags: [tagOf(endpoint)],
      ...(access !== 'public' && {
        security: [{ bearer: [] }, ...(forReadingKeys ? [{ readingKey: [] }] : [])],
      }),
      ...(tellsStaffMore && { security: [{}, { bearer: [] }] }),
      ...(endpoint.params && { params: endpoint.params }),
      ...(endpoint.query && { querystring: endpoint.query }),
      ...(endpoint.payload && { body: endpoint.payload }),
      response: { 200: answer, default: failureSchema },
    },
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      reply.header('cache-control', 'no-store')
      // Refuses a request without a token before reading its body.
      if (access !== 'public' && bearerToken(request) === undefined)
        throw refusal('unauthenticated')
    },
    // Looks the session up after the body, since a slow body may outlast the session.
    preValidation: async (request: FastifyRequest) => {
      if (access !== 'public')
        request.session = await authorize(context, { ...endpoint, access }, request)
      else if (tellsStaffMore && bearerToken(request) !== undefined)
        request.session = await staffOf(context, request)
    },
  }
}

// Joins the types of contract and Fastify. The validated request has the type `Call`.
const callOf = <E extends Endpoint>(
  { config, replica }: Context,
  endpoint: E,
  request: FastifyRequest,
): Call<E> =>
  ({
    lagging:
      endpoint.lags && request.session && isStaff(request.session) ? replica?.begin() : undefined,
    payload: request.body,
    params: request.params,
    query: request.query,
    session: request.session,
    ip: request.ip,
    origin: originOf(config, request),
    userAgent: request.headers['user-agent'] ?? '',
    language: preferredLanguage(request) ?? languages[0],
    by: request.session && callerOf(request.session, request.ip),
    idempotency: request.session && idempotencyOf(endpoint, request, request.session),
  }) as Call<E>

/**
 * The public URL. Without one a browser on this machine may use any port, and a `Host` header that
 * names another machine counts for nothing: passkeys belong to this name.
 */
const originOf = ({ linkOrigin, publicUrl }: Config, request: FastifyRequest): string =>
  publicUrl === '' && /^([\w-]+\.)*localhost$/i.test(request.hostname)
    ? `${request.protocol}://${request.host}`
    : linkOrigin

const streamReader = (
  context: Context,
  { access, forReadingKeys }: Endpoint,
  request: FastifyRequest,
): StreamReader => {
  const { session } = request
  if (!session || access === 'public') throw new Error('a streamed list needs a session')
  const open = {
    method: 'GET',
    access,
    streams: true,
    ...(forReadingKeys && { forReadingKeys }),
  } as const
  const lookAgain = () => authorize(context, open, request)
  return { userId: session.userId, isStaff: visibleUser(session) === undefined, lookAgain }
}

const narrationOf = <E extends Endpoint>(
  { narration = 'OK' }: Endpoint,
  answered: Answered<E>,
): string => (typeof narration === 'string' ? narration : narration(answered as never))

const tagOf = ({ path }: Endpoint): string =>
  path.replace(/^\/api\/v1\/(public\/)?/, '').split('/')[0] ?? ''
