import type { Access, Body, Endpoint, Payload } from '@pool/contract/endpoint'
import { envelopeSchema, failureSchema, pagedEnvelopeSchema } from '@pool/contract/envelope'
import type { Page } from '@pool/contract/lists'
import type { FastifyInstance, FastifyRequest, RouteOptions, RouteShorthandOptions } from 'fastify'
import type { z } from 'zod'
import type { Context } from '../context.ts'
import type { Repeatable } from '../ledger/operation.ts'
import type { Session } from '../users/sessions.ts'
import { repeatable } from './repeatable.ts'
import { authorize } from './session.ts'

type Parsed<Schema> = Schema extends z.ZodType ? z.infer<Schema> : undefined

/** What a handler is given: the validated call, and who makes it unless it is public. */
export type Call<E extends Endpoint> = {
  readonly payload: Payload<E>
  readonly params: E extends { params: infer Schema } ? Parsed<Schema> : undefined
  readonly query: E extends { query: infer Schema } ? Parsed<Schema> : undefined
  readonly session: E['access'] extends 'public' ? undefined : Session
  readonly repeatable: Repeatable | undefined
}

/** What a handler answers: the body; of a list its rows, with the page when one was asked for. */
export type Answered<E extends Endpoint> = E extends { paged: true }
  ? { readonly rows: Body<E>; readonly page?: Page | undefined }
  : Body<E>

declare module 'fastify' {
  interface FastifyRequest {
    session: Session | undefined
  }
  interface FastifyContextConfig {
    access?: Access
  }
}

/** A hook for every route that is added: one under `/api/v1` without a policy stops the start (threat 3). */
export const requirePolicy = ({ url, config }: RouteOptions): void => {
  if (url.startsWith('/api/v1') && config?.access === undefined) throw new Error(`${url} has no policy`)
}

/**
 * Registers a call of the contract: its session and right are checked before its payload is even read, its payload and answer against the
 * contract, and its answer is enveloped. The one way to add a route under `/api`, so that none can be without a policy (threat 3).
 */
export const route = <const E extends Endpoint>(
  app: FastifyInstance,
  context: Context,
  endpoint: E,
  handle: (call: Call<E>) => Promise<Answered<E>>,
  options: RouteShorthandOptions = {},
): void => {
  const { access } = endpoint
  app.route({
    ...options,
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
      response: { 200: (endpoint.paged ? pagedEnvelopeSchema : envelopeSchema)(endpoint.body), default: failureSchema },
    },
    onRequest: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      if (access !== 'public') request.session = await authorize(context, access, request)
    },
    handler: async (request, reply) => {
      const answered = await handle(callOf(endpoint, request))
      if (endpoint.maxAgeSeconds !== undefined) reply.header('cache-control', `public, max-age=${endpoint.maxAgeSeconds}`)
      return { successful: true, narration: endpoint.narration ?? 'OK', ...(endpoint.paged ? inPages(answered) : { body: answered }) }
    },
  })
}

// The types of the contract and of Fastify meet here: what was validated against the endpoint's schemas is what `Call` says.
const callOf = <E extends Endpoint>(endpoint: E, request: FastifyRequest): Call<E> =>
  ({
    payload: request.body,
    params: request.params,
    query: request.query,
    session: request.session,
    repeatable: request.session && repeatable(endpoint, request, request.session),
  }) as Call<E>

const inPages = <E extends Endpoint>(answered: Answered<E>) => {
  const { rows, page } = answered as { rows: Body<E>; page?: Page }
  return { body: rows, ...(page && { page }) }
}

const tagOf = ({ path }: Endpoint): string => path.replace(/^\/api\/v1\/(public\/)?/, '').split('/')[0] ?? ''
