import {
  type Context,
  context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ClientBase, Pool } from 'pg'

export type Tracing = {
  /** Makes a span of each request of an app. */
  readonly observe: (app: FastifyInstance) => void
  /** Sends the remaining spans. */
  readonly stop: () => Promise<void>
}

const SERVICE = 'peer-lending-pool'

/**
 * Traces requests and their queries to `OTEL_EXPORTER_OTLP_ENDPOINT`. Call before the pool
 * connects. Spans name route patterns and status, or verb and table, never ids, payloads or SQL.
 */
export const startTracing = (pool: Pool): Tracing => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const resource = defaultResource().merge(
    resourceFromAttributes({ 'service.name': process.env.OTEL_SERVICE_NAME ?? SERVICE }),
  )
  const provider = new TracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  })
  const tracer = provider.getTracer(SERVICE)
  pool.on('connect', (client) => traceQueries(client, tracer))
  return { observe: (app) => traceRequests(app, tracer), stop: () => provider.shutdown() }
}

const traceRequests = (app: FastifyInstance, tracer: Tracer): void => {
  const spans = new WeakMap<FastifyRequest, { readonly span: Span; readonly within: Context }>()

  app.addHook('onRequest', (request, _reply, done) => {
    const { method, routeOptions } = request
    const route = routeOptions.url ?? 'none'
    const span = tracer.startSpan(
      `${method} ${route}`,
      { kind: SpanKind.SERVER, attributes: { 'http.request.method': method, 'http.route': route } },
      ROOT_CONTEXT,
    )
    const within = trace.setSpan(ROOT_CONTEXT, span)
    spans.set(request, { span, within })
    context.with(within, done)
  })
  // Restores the context, which parsing a body leaves.
  app.addHook('preValidation', (request, _reply, done) =>
    context.with(spans.get(request)?.within ?? ROOT_CONTEXT, done),
  )
  app.addHook('onResponse', async (request, reply) => {
    const span = spans.get(request)?.span
    span?.setAttribute('http.response.status_code', reply.statusCode)
    if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
  })
}

type Query = (...given: unknown[]) => unknown

/** Makes a span of each query of a connection, for promises and callbacks. */
const traceQueries = (client: ClientBase, tracer: Tracer): void => {
  const query = client.query.bind(client) as Query
  const traced: Query = (...given) => {
    const summary = summaryOf(given[0])
    const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': summary }
    const span = tracer.startSpan(summary, { kind: SpanKind.CLIENT, attributes }, context.active())
    const end = (failed: boolean) => {
      if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    }
    const last = given.at(-1)
    if (typeof last === 'function') {
      const callback: Query = (...answered) => {
        end(Boolean(answered[0]))
        return last(...answered)
      }
      return query(...given.slice(0, -1), callback)
    }
    const result = query(...given)
    if (result instanceof Promise) {
      result.then(
        () => end(false),
        () => end(true),
      )
    } else end(false)
    return result
  }
  client.query = traced as typeof client.query
}

/** Verb and table of a statement, for example `SELECT users`. Leaves out all else. */
const summaryOf = (asked: unknown): string => {
  const text =
    typeof asked === 'string' ? asked : String((asked as { text?: unknown } | null)?.text ?? '')
  const verb = /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'QUERY'
  const object =
    /^\s*select\s+(write_entries)\b|\b(?:from|into|update)\s+(?!unnest\b)"?(\w+)/i.exec(text)
  return [verb, object?.[1] ?? object?.[2]].filter(Boolean).join(' ')
}
