import cluster from 'node:cluster'
import { changeStream } from '@pool/contract/changes'
import type { FastifyInstance } from 'fastify'
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  Registry,
} from 'prom-client'
import type { Hub } from '../changes/hub.ts'
import type { Context } from '../context.ts'
import type { Database } from '../db/connection.ts'
import type { LedgerObserver } from '../ledger/ledger.ts'
import { readWatermarks, type Watermarks } from './watermarks.ts'

type Watched = Pick<Context, 'db' | 'ledger'> & { readonly hub: Hub }

/**
 * What Prometheus is told of this process. Labels are route patterns, kinds and codes, never ids,
 * addresses or names, so that there is a bounded number of series and nothing about anybody in
 * them. What changes at every request is counted as it happens; everything else is looked at only
 * when somebody asks.
 */
export type Metrics = {
  readonly ledger: LedgerObserver
  /** Counts the requests of an app. */
  readonly observe: (app: FastifyInstance) => void
  /** Tells of what is looked at when it is asked for. */
  readonly watch: (watched: Watched, database: Database) => void
  /** The text that Prometheus reads. */
  readonly text: () => Promise<{ readonly type: string; readonly content: string }>
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
const GROUP_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]

export const openMetrics = (): Metrics => {
  const registry = new Registry()
  const registers = [registry]
  // One of several processes is read through the one that leads them.
  AggregatorRegistry.setRegistries([registry])
  if (cluster.isWorker) new AggregatorRegistry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Requests answered, by method, route pattern and class of status',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers,
  })
  const forbidden = new Counter({
    name: 'http_forbidden_total',
    help: 'Calls refused to a user who is signed in, by method and route pattern',
    labelNames: ['method', 'route'],
    registers,
  })
  const operations = new Counter({
    name: 'money_operations_total',
    help: 'Money operations by movement and outcome: posted, or the code of the refusal',
    labelNames: ['kind', 'outcome'],
    registers,
  })
  const groups = new Histogram({
    name: 'ledger_group_size',
    help: 'Operations posted in one SQL call',
    buckets: GROUP_SIZES,
    registers,
  })

  return {
    ledger: {
      group: (size) => groups.observe(size),
      outcome: (kind, outcome) => operations.inc({ kind, outcome }),
    },
    observe: (app) => {
      app.addHook('onResponse', async (request, reply) => {
        const route = routeOf(request.routeOptions.url)
        // A stream lasts as long as somebody follows; how many do is a figure of its own.
        if (reply.statusCode === 403 && request.session)
          forbidden.inc({ method: request.method, route })
        if (route === changeStream.path) return
        requests.observe(
          { method: request.method, route, status: `${Math.floor(reply.statusCode / 100)}xx` },
          reply.elapsedTime / 1_000,
        )
      })
    },
    watch: (context, database) => watch(registry, context, database),
    text: async () => ({ type: registry.contentType, content: await registry.metrics() }),
  }
}

/**
 * The text of several processes together: counts are added up, and of what the database says the
 * worst is told.
 */
export const textOfAll = (): Metrics['text'] => {
  const registry = new AggregatorRegistry()
  return async () => ({ type: registry.contentType, content: await registry.clusterMetrics() })
}

/**
 * Calls by their pattern; the pages and files of the web app together, and whatever there is no
 * route for.
 */
const routeOf = (pattern: string | undefined): string => {
  if (pattern === undefined) return 'none'
  return pattern.startsWith('/api/v1/') ? pattern : 'web'
}

/**
 * Figures of this process, and of the database as one question at each reading. A figure that
 * cannot be had is left out.
 */
const watch = (registry: Registry, { db, hub, ledger }: Watched, { pool }: Database): void => {
  const registers = [registry]
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })
  gauge('ledger_waiting_operations', 'Operations that wait for a group', ledger.waiting)
  gauge('change_streams_open', 'Open streams of changes', hub.following)
  gauge('database_connections', 'Connections of the pool', () => pool.totalCount)
  gauge(
    'database_connections_idle',
    'Connections of the pool that nobody uses',
    () => pool.idleCount,
  )
  gauge(
    'database_waiting_requests',
    'Who waits for a connection of the pool',
    () => pool.waitingCount,
  )

  // All of one reading are asked for together, and share one answer.
  let reading: Promise<Watermarks | undefined> | undefined
  const read = () => {
    reading ??= readWatermarks(db)
      .catch(() => undefined)
      .finally(() => {
        reading = undefined
      })
    return reading
  }
  new Gauge({
    name: 'database_up',
    help: 'Whether the database answered at this reading: 1 or 0',
    aggregator: 'min',
    registers,
    async collect() {
      this.set((await read()) ? 1 : 0)
    },
  })
  for (const [name, { metric, help }] of Object.entries(watermarks)) {
    new Gauge({
      name: metric,
      help,
      aggregator: name === 'ledgerWhole' ? 'min' : 'max',
      registers,
      async collect() {
        const value = (await read())?.[name as keyof Watermarks]
        if (value === undefined || value === null) this.remove()
        else this.set(value)
      },
    })
  }
}

const watermarks: Readonly<
  Record<keyof Watermarks, { readonly metric: string; readonly help: string }>
> = {
  ledgerCheckAge: {
    metric: 'ledger_check_age_seconds',
    help: 'Since the ledger was last recomputed, on any node',
  },
  ledgerWhole: { metric: 'ledger_whole', help: 'What that found: 1 whole, 0 not' },
  sealLag: {
    metric: 'audit_seal_lag_seconds',
    help: 'How long the oldest entry of the audit trail waits for its seal',
  },
  maturityLag: {
    metric: 'maturity_lag_seconds',
    help: 'How long the oldest investment that has matured waits to be paid',
  },
  jobLag: { metric: 'job_lag_seconds', help: 'How long the oldest job that is due waits' },
  jobsFailed: { metric: 'jobs_failed', help: 'Jobs that were given up' },
  pauses: {
    metric: 'paused_functions',
    help: 'How many of deposits, withdrawals and investing are paused',
  },
  wallets: { metric: 'deposit_wallets', help: 'Deposit wallets, assigned or available' },
  walletsAvailable: {
    metric: 'deposit_wallets_available',
    help: 'Deposit wallets that nobody has been given',
  },
}
