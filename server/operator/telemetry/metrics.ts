import cluster from 'node:cluster'
import { changeStream } from '@pool/contract/base/changes'
import { alarmKinds } from '@pool/contract/coins/payouts'
import type { FastifyInstance } from 'fastify'
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  Registry,
} from 'prom-client'
import type { Database } from '../../base/db/connection.ts'
import type { Replica } from '../../base/db/replica.ts'
import { readChainAges } from '../../chain/nodes/queries.ts'
import { countAlarms } from '../../coins/payouts/queries.ts'
import { readReconciliationState } from '../../coins/reconciliation/queries.ts'
import { readUnseenState } from '../../coins/reconciliation/unseenArrivals.ts'
import type { Hub } from '../../http/changes/hub.ts'
import type { WithConfig, WithDb, WithLedger, WithReplica } from '../../http/context.ts'
import type { LedgerObserver } from '../../ledger/engine/ledger.ts'
import { roomJobs } from '../jobs/roomJobs.ts'
import { readJobStates } from '../jobs/successes.ts'
import { readWatermarks, type Watermarks } from './watermarks.ts'

type Watched = WithDb & WithLedger & WithConfig & WithReplica & { readonly hub: Hub }

/**
 * Prometheus metrics of this process. Labels are patterns, kinds and codes, never ids or names.
 * Requests are counted as they happen; the rest is read when scraped.
 */
export type Metrics = {
  readonly ledger: LedgerObserver
  /** Counts the requests of an app. */
  readonly observe: (app: FastifyInstance) => void
  /** Registers the metrics that are read at each scrape. */
  readonly watch: (watched: Watched, database: Database) => void
  /** Text in Prometheus's format. */
  readonly text: () => Promise<{ readonly type: string; readonly content: string }>
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
const GROUP_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]

export const openMetrics = (): Metrics => {
  const registry = new Registry()
  const registers = [registry]
  // The primary process collects the metrics of its workers.
  AggregatorRegistry.setRegistries([registry])
  if (cluster.isWorker) new AggregatorRegistry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Requests by method, route pattern and status class',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers,
  })
  const forbidden = new Counter({
    name: 'http_forbidden_total',
    help: 'Calls refused to signed-in users, by method and route pattern',
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
        // Skips streams, which last as long as their reader. `change_streams_open` counts them.
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

/** Text of all worker processes. Sums counts, and takes the worst of the database's values. */
export const textOfAll = (): Metrics['text'] => {
  const registry = new AggregatorRegistry()
  return async () => ({ type: registry.contentType, content: await registry.clusterMetrics() })
}

/** Labels API calls by pattern, all web pages and files as `web`, and unknown paths as `none`. */
const routeOf = (pattern: string | undefined): string => {
  if (pattern === undefined) return 'none'
  return pattern.startsWith('/api/v1/') ? pattern : 'web'
}

/** Registers gauges of this process and of the database. Omits those that cannot be read. */
const watch = (
  registry: Registry,
  { config, db, hub, ledger, replica }: Watched,
  { pool }: Database,
): void => {
  const registers = [registry]
  if (replica) watchReplica(registers, replica)
  watchJobs(registers, { config, db })
  if (config.chains.length > 0) {
    watchChains(registers, { config, db })
    watchReconciliation(registers, { db })
  }
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
  gauge('database_connections_idle', 'Idle connections of the pool', () => pool.idleCount)
  gauge(
    'database_waiting_requests',
    'Requests that wait for a connection of the pool',
    () => pool.waitingCount,
  )

  // Gauges of one scrape share one query.
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
    help: '1 if the database answered at this scrape, else 0',
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
      aggregator: isWorstLow.has(name) ? 'min' : 'max',
      registers,
      async collect() {
        const value = (await read())?.[name as keyof Watermarks]
        if (value === undefined || value === null) this.remove()
        else this.set(value)
      },
    })
  }
}

const watchReplica = (registers: Registry[], { lag, counts }: Replica): void => {
  new Gauge({
    name: 'replica_lag_seconds',
    help: 'Seconds that the replica was behind at the last look. Absent while it is away',
    aggregator: 'max',
    registers,
    collect() {
      const seconds = lag()
      if (seconds === undefined) this.remove()
      else this.set(seconds)
    },
  })
  new Counter({
    name: 'lagging_reads_total',
    help: 'Reads that may lag, by the server that answered',
    labelNames: ['source'],
    registers,
    collect() {
      this.reset()
      for (const [source, count] of Object.entries(counts())) this.inc({ source }, count)
    },
  })
}

const watchJobs = (registers: Registry[], context: WithDb & WithConfig): void => {
  new Gauge({
    name: 'job_stopped_seconds',
    help: 'Seconds beyond the longest gap between two successes of a job on any node, 0 within it',
    labelNames: ['job'],
    aggregator: 'max',
    registers,
    async collect() {
      const states = await readJobStates(context, roomJobs).catch(() => [])
      this.reset()
      for (const { name, seconds, longestGap } of states)
        this.set({ job: name }, Math.max(0, seconds - longestGap))
    },
  })
}

const watchChains = (registers: Registry[], { config, db }: WithDb & WithConfig): void => {
  // Long: a table of gauges, which share one reading.
  // Both gauges of a scrape share one query. Without an answer, both are absent.
  let reading: ReturnType<typeof readChainAges> | undefined
  const read = () => {
    reading ??= readChainAges(db, config)
      .catch(() => [])
      .finally(() => {
        reading = undefined
      })
    return reading
  }
  new Gauge({
    name: 'chain_state_seconds',
    help: 'Seconds in which the node of a network has had its state',
    labelNames: ['network', 'state'],
    aggregator: 'max',
    registers,
    async collect() {
      const ages = await read()
      this.reset()
      for (const { network, state, seconds } of ages) this.set({ network, state }, seconds)
    },
  })
  new Gauge({
    name: 'chain_checked_age_seconds',
    help: 'Seconds since the node of a network was last looked at',
    labelNames: ['network'],
    aggregator: 'max',
    registers,
    async collect() {
      const ages = await read()
      this.reset()
      for (const { network, checked } of ages) this.set({ network }, checked)
    },
  })
  new Gauge({
    name: 'unseen_arrivals',
    help: 'Coins that arrived without a payment and wait for staff',
    aggregator: 'max',
    registers,
    async collect() {
      const state = await readUnseenState(db, config).catch(() => undefined)
      if (state) this.set(state.open)
      else this.remove()
    },
  })
  new Gauge({
    name: 'payout_alarms',
    help: 'Payouts that went wrong and coins that no batch explains, which wait for staff',
    labelNames: ['kind'],
    aggregator: 'max',
    registers,
    async collect() {
      const counted = await countAlarms(db).catch(() => undefined)
      this.reset()
      for (const kind of counted ? alarmKinds : []) this.set({ kind }, 0)
      for (const { kind, open } of counted ?? []) this.set({ kind }, open)
    },
  })
  new Gauge({
    name: 'balances_age_seconds',
    help: 'Seconds since the balances of a network were compared with its payments',
    labelNames: ['network'],
    aggregator: 'max',
    registers,
    async collect() {
      const state = await readUnseenState(db, config).catch(() => undefined)
      this.reset()
      for (const { network, seconds } of state?.compared ?? []) this.set({ network }, seconds)
    },
  })
}

/** Gauges of the last comparison of coins with the books. */
const watchReconciliation = (registers: Registry[], { db }: WithDb): void => {
  const gauges = [
    ['coins_compared_age_seconds', 'seconds', 'Seconds since coins were compared with the books'],
    ['coins_break_cents', 'breaks', 'Cents by which coins differ from the books, not accepted'],
    ['coins_networks_not_compared', 'problems', 'Networks that the last comparison left out'],
  ] as const
  for (const [name, field, help] of gauges)
    new Gauge({
      name,
      help,
      aggregator: 'max',
      registers,
      async collect() {
        const state = await readReconciliationState(db).catch(() => undefined)
        const value = state?.[field]
        if (value === undefined || value === null) this.remove()
        else this.set(value)
      },
    })
}

/** Values of which the lowest is the worst. */
const isWorstLow: ReadonlySet<string> = new Set([
  'ledgerWhole',
  'interestCovered',
  'reserveRunway',
] satisfies (keyof Watermarks)[])

const watermarks: Readonly<
  Record<keyof Watermarks, { readonly metric: string; readonly help: string }>
> = {
  ledgerCheckAge: {
    metric: 'ledger_check_age_seconds',
    help: 'Age of the last ledger check on any node',
  },
  ledgerWhole: { metric: 'ledger_whole', help: 'Result of the last ledger check: 1 whole, 0 not' },
  sealLag: {
    metric: 'audit_seal_lag_seconds',
    help: 'Age of the oldest unsealed audit entry',
  },
  maturityLag: {
    metric: 'maturity_lag_seconds',
    help: 'Time since the oldest unpaid maturity',
  },
  jobLag: { metric: 'job_lag_seconds', help: 'Time since the oldest due job' },
  jobsFailed: { metric: 'jobs_failed', help: 'Jobs that used up their attempts' },
  liabilitiesAge: {
    metric: 'liabilities_age_seconds',
    help: 'Time since the day began on which liabilities were last published',
  },
  claimsOpen: {
    metric: 'claims_open_cents',
    help: 'Cents that investors owe for deposits that were taken back',
  },
  pauses: {
    metric: 'paused_functions',
    help: 'Number of pauses among deposits, withdrawals and investing',
  },
  wallets: { metric: 'deposit_wallets', help: 'Deposit wallets, assigned or available' },
  walletsAvailable: {
    metric: 'deposit_wallets_available',
    help: 'Unassigned deposit wallets',
  },
  monthless: {
    metric: 'movements_without_month',
    help: 'Movements whose month has no partition, at most 1,000',
  },
  priceLag: {
    metric: 'price_lag_seconds',
    help: 'Time since the price URLs of a coin gave a rate, the longest. Absent without price URLs',
  },
  pricesApart: { metric: 'prices_apart', help: 'Coins whose price URLs disagree' },
  interestCovered: {
    metric: 'interest_covered_ratio',
    help: 'Interest that borrowers paid divided by interest promised to investors, of 90 days',
  },
  reserveRunway: {
    metric: 'reserve_runway_days',
    help: 'Days that the free reserve lasts at the pace of new interest. Absent without any',
  },
}
