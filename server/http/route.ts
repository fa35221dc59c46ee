import { Readable } from 'node:stream'
import type { Access, Body, Endpoint, Payload } from '@pool/contract/endpoint'
import { envelopeSchema, failureSchema, pagedEnvelopeSchema } from '@pool/contract/envelope'
import { refusal } from '@pool/contract/refusals'
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RouteOptions,
  RouteShorthandOptions,
} from 'fastify'
import { z } from 'zod'
import type { Context } from '../context.ts'
import type { Idempotency } from '../ledger/operation.ts'
import type { Listed } from '../lists/list.ts'
import { type Caller, callerOf } from '../sessions/actor.ts'
import type { Session } from '../sessions/sessions.ts'
import { authorize, bearerToken, visibleUser } from './access.ts'
import { setEtag } from './etag.ts'
import { idempotencyOf } from './idempotency.ts'
import { type StreamReader, streamList } from './streaming.ts'

type Parsed<Schema> = Schema extends z.ZodType ? z.infer<Schema> : undefined

/** What a handler is given: the validated call, and who makes it unless it is public. */
export type Call<E extends Endpoint> = {
  readonly payload: Payload<E>
  readonly params: E extends { params: infer Schema } ? Parsed<Schema> : undefined
  readonly query: E extends { query: infer Schema } ? Parsed<Schema> : undefined
  readonly session: E['access'] extends 'public' ? undefined : Session
  /** Who makes the call, for the record; nobody yet when it is public. */
  readonly by: E['access'] extends 'public' ? undefined : Caller
  readonly idempotency: Idempotency | undefined
  /** The address that the call came from, past the proxies that the operator trusts. */
  readonly address: string
}

/** A handler's result: a body, a page of rows, or a stream for long lists. */
export type Answered<E extends Endpoint> = E extends { paged: object; body: z.ZodArray<infer Row> }
  ? Listed<z.infer<Row>>
  : Body<E>

declare module 'fastify' {
  interface FastifyRequest {
    session: Session | undefined
  }
  interface FastifyContextConfig {
    access?: Access
  }
}

/**
 * A hook for every route that is added: one under `/api/v1` without a policy stops the start
 * (docs/threats.md T3).
 */
export const requirePolicy = ({ url, config }: RouteOptions): void => {
  if (url.startsWith('/api/v1') && config?.access === undefined)
    throw new Error(`${url} has no policy`)
}

/**
 * Registers a call of the contract: its session and right are checked once its body has arrived,
 * its payload and answer against the contract, and its answer is enveloped. With `streamRoute` the
 * only way to add a route under `/api`, so that none can be without a policy (docs/threats.md T3).
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
      const answered = await handle(callOf(endpoint, request))
      if (endpoint.maxAgeSeconds !== undefined)
        reply.header('cache-control', `public, max-age=${endpoint.maxAgeSeconds}`)
      const narration = narrationOf(endpoint, answered)
      if (!endpoint.paged) return { successful: true, narration, body: answered }
      const listed = answered as Listed<unknown>
      if ('rows' in listed)
        return {
          successful: true,
          narration,
          body: listed.rows,
          ...(listed.page && { page: listed.page }),
        }
      reply.type(JSON_TYPE)
      if (request.method === 'HEAD') return reply.send(Readable.from([]))
      const reader = streamReader(context, endpoint, request)
      return reply.send(
        await streamList(listed.stream, { narration, body: endpoint.body, reader, context }),
      )
    },
  })
}

/** The call for a stream, and what a stream needs to know of its connection. */
export type StreamCall<E extends Endpoint> = Call<E> & {
  /**
   * Looks at the session again, without using it. Throws when it has ended, or may no longer make
   * this call.
   */
  readonly lookAgain: () => Promise<Session>
  /** Cuts the connection unless the whole answer has been sent. */
  readonly cut: () => void
}

/**
 * Registers a call of the contract whose answer goes on: as {@link route}, but what `open` returns
 * is sent as it comes, without an envelope.
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
    // Asking for the headers alone would open a stream that nobody reads.
    exposeHeadRoute: false,
    handler: (request, reply) => {
      const lookAgain = () => authorize(context, endpoint, request)
      const cut = () => void (reply.raw.writableFinished || reply.raw.destroy())
      const stream = open({ ...callOf(endpoint, request), lookAgain, cut })
      // Proxies, too, are to pass on each event at once.
      return reply.type(EVENT_STREAM).header('x-accel-buffering', 'no').send(stream)
    },
  })
}

const EVENT_STREAM = 'text/event-stream'
const JSON_TYPE = 'application/json; charset=utf-8'

/** What every route has: its address, its policy, its schemas. */
const guarded = (
  context: Context,
  endpoint: Endpoint,
  { options, answer }: { options: RouteShorthandOptions; answer: unknown },
) => {
  const { access } = endpoint
  return {
    method: endpoint.method,
    config: { ...options.config, access },
    url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
    schema: {
      summary: endpoint.summary,
      tags: [tagOf(endpoint)],
      ...(access !== 'public' && { security: [{ bearer: [] }] }),
      ...(endpoint.params && { params: endpoint.params }),
      ...(endpoint.query && { querystring: endpoint.query }),
      ...(endpoint.payload && { body: endpoint.payload }),
      response: { 200: answer, default: failureSchema },
    },
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      reply.header('cache-control', 'no-store')
      // Without a token the body is not even read.
      if (access !== 'public' && bearerToken(request) === undefined)
        throw refusal('unauthenticated')
    },
    // The body has arrived: it may have taken longer than the session lasted.
    preValidation: async (request: FastifyRequest) => {
      if (access !== 'public')
        request.session = await authorize(context, { ...endpoint, access }, request)
    },
  }
}

// The types of the contract and of Fastify meet here: what was validated against the endpoint's
// schemas is what `Call` says.
const callOf = <E extends Endpoint>(endpoint: E, request: FastifyRequest): Call<E> =>
  ({
    payload: request.body,
    params: request.params,
    query: request.query,
    session: request.session,
    address: request.ip,
    by: request.session && callerOf(request.session, request.ip),
    idempotency: request.session && idempotencyOf(endpoint, request, request.session),
  }) as Call<E>

const streamReader = (
  context: Context,
  { access }: Endpoint,
  request: FastifyRequest,
): StreamReader => {
  const { session } = request
  if (!session || access === 'public')
    throw new Error('a long list is sent to nobody without a session')
  const lookAgain = () => authorize(context, { access, streams: true }, request)
  return { userId: session.userId, isStaff: visibleUser(session) === undefined, lookAgain }
}

const narrationOf = <E extends Endpoint>(
  { narration = 'OK' }: Endpoint,
  answered: Answered<E>,
): string => (typeof narration === 'string' ? narration : narration(answered as never))

const tagOf = ({ path }: Endpoint): string =>
  path.replace(/^\/api\/v1\/(public\/)?/, '').split('/')[0] ?? ''
