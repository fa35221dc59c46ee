/**
 * One run: products on one database, load, faults at random moments, and a watcher of invariants.
 * Afterwards the books are whole and nothing acknowledged is lost (docs/threats.md, "Faults").
 */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { health } from '@pool/contract/base/health'
import { cents, dollarsFromCents } from '@pool/contract/base/money'
import { expect } from 'vitest'
import { connect } from '../server/base/db/connection.ts'
import { addressAs, type Role } from '../server/base/postgres/cluster.ts'
import { preparePostgresFiles } from '../server/base/postgres/files.ts'
import { openLog } from '../server/base/process/log.ts'
import { openRandom } from '../server/operator/demo/random.ts'
import { ADMIN, newInvestor, SETTINGS, signIn } from '../server/testing/client.ts'
import { connectTo, type dataDirectory, type RunningProduct } from '../server/testing/process.ts'
import { ask } from '../server/testing/request.ts'
import { FULL } from '../server/testing/rounds.ts'
import { fundsOf } from './balances.ts'
import { type Kind, longestGapAllowed } from './bounds.ts'
import { KINDS, type LoadPlan, type Operation } from './plan.ts'
import { type Load, startLoad, startWatch, urlTo, type Watch } from './processes.ts'
import { contradictions, type Figures, figuresOf, readOperations } from './verify.ts'
import type { WatchPlan } from './watch.ts'

/** The bound of a test of faults. One of a whole run takes up to an hour on a busy machine. */
export const LIMIT = { timeout: FULL ? 7_200_000 : 600_000 }

export type Directory = ReturnType<typeof dataDirectory>

const SEED = Number(process.env.FAULTS_SEED ?? Math.floor(Math.random() * 1e9))
/** Random moments, fixed by the seed. */
const random = openRandom(SEED).next

const CLIENTS = 6
/** The first balance of each investor, in cents. */
const FUNDS = cents(100_000_00n)

const freePort = async (): Promise<string> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return String(typeof address === 'object' ? address?.port : '')
}

/** A product that restarts on the same port, so that clients find it. */
export type Node = {
  readonly url: string
  /** The running product. Throws while it is down. */
  readonly product: () => RunningProduct
  readonly start: () => Promise<void>
  /** Sends a signal and resolves once the process is gone. */
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>
}

export const openNode = async (
  directory: Directory,
  environment: Record<string, string> = {},
): Promise<Node> => {
  const port = await freePort()
  let running: RunningProduct | undefined
  const product = (): RunningProduct => {
    if (!running) throw new Error('The product is down.')
    return running
  }
  const start = async () => {
    running = await directory.start({
      ...SETTINGS,
      LOG_LEVEL: 'error',
      PORT: port,
      // A machine that stands still for a while is no fault of the product.
      STOP_SECONDS: '240',
      ...environment,
    })
  }
  await start()
  return { url: product().url, product, start, end: (signal) => product().end(signal) }
}

/** The settings of a product that uses a data directory's database as a guest. */
export const asGuest = ({ dataDir }: Directory): Record<string, string> => {
  const urlFor = (role: Role) => {
    const { host, port, user, password } = addressAs(
      preparePostgresFiles(dataDir, () => undefined),
      role,
    )
    return `postgres://${user}:${password}@${encodeURIComponent(host)}:${port}/pool`
  }
  return { DATABASE_URL: urlFor('pool_app'), DATABASE_OWNER_URL: urlFor('pool_owner') }
}

/** One fault. */
export type Fault = {
  readonly inject: () => Promise<unknown>
  /** Observes the effect: false before the strike, true once it worked. */
  readonly isSeen: () => boolean | Promise<boolean>
  /** Ends the fault, or resolves once it has ended. */
  readonly recover?: () => Promise<unknown>
  /** True when the database cannot be read before the end of the fault. */
  readonly hidesDatabase?: true
}

/**
 * Strikes once and looks at the database during the fault, or as soon as possible. Returns its
 * duration in milliseconds. Throws when the fault had no effect.
 */
export const strikeOnce = async (fault: Fault, watch: Pick<Watch, 'sees'>): Promise<number> => {
  const { inject, isSeen, recover, hidesDatabase } = fault
  if (await isSeen())
    throw new Error('The run is invalid: the fault was there before it was injected.')
  const began = performance.now()
  try {
    await inject()
    if (!(await isSeen())) throw new Error('The run is invalid: the fault was not observed.')
  } catch (error) {
    // A process that still stood still could not be stopped.
    await recover?.().catch(() => undefined)
    throw error
  }
  if (!hidesDatabase) await watch.sees()
  await recover?.()
  const took = performance.now() - began
  if (hidesDatabase) await watch.sees()
  return took
}

export type Scene = {
  readonly load: Load
  /** Injects a fault, observes its effect and end, and waits for the next acknowledgement. */
  readonly strike: (fault: Fault) => Promise<void>
}

type Options = {
  readonly nodes: readonly Pick<Node, 'url'>[]
  readonly directory: Pick<Directory, 'directory' | 'dataDir' | 'command'>
  /** The URL of a database that is not the directory's own. */
  readonly database?: string
  /** The kind of fault, which bounds the longest gap. */
  readonly kind: Kind
  /** The kinds of operations that the load must do. */
  readonly kinds?: readonly Operation['kind'][]
  readonly repeatAll?: boolean
  /** The investors, each with one operation at a time. */
  readonly clients?: number
  /** The least acknowledged operations about money. */
  readonly operations?: number
} & Pick<LoadPlan, 'repeatAt' | 'pauseMs'> &
  Pick<WatchPlan, 'takesBack'>

type Run = Figures & {
  /** The duration of each strike, in milliseconds. */
  readonly strikes: readonly number[]
  /** The looks during faults that saw the database, and those that did not. */
  readonly looks: number
  readonly blind: number
}

/** Reasons to fail a run without findings: it proved nothing, or a gap was too long. */
export const complaints = (
  kind: Kind,
  { strikes, looks, longestGap }: Pick<Run, 'strikes' | 'looks' | 'longestGap'>,
): readonly string[] => {
  const allowed = longestGapAllowed(kind, Math.max(0, ...strikes))
  return [
    ...(strikes.length === 0 ? ['The run is invalid: nothing was struck.'] : []),
    ...(looks === 0 ? ['The run is invalid: nothing was looked at while the faults lasted.'] : []),
    ...(longestGap > allowed
      ? [`Nothing was acknowledged for ${longestGap} ms; ${allowed} ms are allowed.`]
      : []),
  ]
}

const planFor = async (
  { nodes, directory, repeatAll = false, repeatAt, pauseMs, clients = CLIENTS }: Options,
  database: string,
): Promise<LoadPlan> => {
  const [first] = nodes
  if (!first) throw new Error('There is nothing to strike.')
  const investors = await Promise.all(
    Array.from({ length: clients + 2 }, () => newInvestor(first, dollarsFromCents(FUNDS))),
  )
  const [leaver, deputy, ...people] = investors.map(({ email, ...investor }) => ({
    ...investor,
    username: email,
  }))
  if (!leaver || !deputy) throw new Error('The load needs two investors.')
  return {
    urls: nodes.map(({ url }) => url),
    file: join(directory.directory, 'operations'),
    seed: SEED,
    people,
    admin: { ...(await signIn(first, ADMIN)), ...ADMIN },
    leaver,
    deputy,
    database,
    dataDir: directory.dataDir,
    repeatAll,
    ...(repeatAt && { repeatAt }),
    ...(pauseMs && { pauseMs }),
    retryForMs: 240_000,
  }
}

/** Runs the operator's checks, and asks each product for its health. */
const requireWhole = async ({ directory, nodes }: Options): Promise<void> => {
  expect(await directory.command('ledgerCheck')).toMatchObject({
    code: 0,
    text: expect.stringContaining('The ledger is whole'),
  })
  expect(await directory.command('auditCheck')).toMatchObject({
    code: 0,
    text: expect.stringContaining('The audit trail is whole'),
  })
  for (const node of nodes) expect((await ask(node, health)).status).toBe(200)
}

/**
 * Puts load on the products during `attack`, then throws if anything was lost, doubled or left half
 * done. Returns the figures, and prints them with the seed and what the attack told.
 */
export const underLoad = async (
  options: Options,
  attack: (scene: Scene) => Promise<unknown>,
): Promise<Run> => {
  // Long: one run from load to verdict, in the order of time.
  const { directory, kind, kinds = KINDS, takesBack = false, repeatAt, operations = 0 } = options
  const database = options.database
    ? connect({ connectionString: options.database }, 2, openLog('silent'))
    : connectTo(directory)
  const plan = await planFor(options, urlTo(database))
  const load = startLoad(plan)
  const watch = startWatch({
    database: plan.database,
    file: join(directory.directory, 'looks'),
    takesBack,
  })
  const strikes: number[] = []
  const found: string[] = []
  const judge = async () => {
    const operations = readOperations(plan.file)
    found.push(...(await contradictions(operations, database, fundsOf(plan, FUNDS))))
  }
  let [began, ended] = [0, 0]
  let told: unknown
  try {
    await load.goesOn()
    await watch.sees()
    began = Date.now()
    told = await attack({
      load,
      strike: async (fault) => {
        strikes.push(await strikeOnce(fault, watch))
        await load.goesOn()
      },
    })
    ended = Date.now()
    // The product answers again by itself.
    await load.goesOn()
    await load.hasDone(kinds)
    await load.hasAcknowledged(operations)
    if (repeatAt) {
      await load.pause()
      await judge()
      await load.finish()
    } else await load.stop()
    await watch.stop()
    await judge()
  } finally {
    load.kill()
    watch.kill()
    await database.close()
  }

  const looks = watch.all()
  const meanwhile = looks.filter((look) => look.began >= began && look.ended <= ended)
  const seen = meanwhile.filter(({ found }) => found !== undefined).length
  found.unshift(...looks.flatMap((look) => look.found ?? []))
  expect(found, found.slice(0, 20).join('\n')).toEqual([])
  await requireWhole(options)

  const run = {
    ...figuresOf(readOperations(plan.file)),
    strikes: strikes.map(Math.round),
    looks: seen,
    blind: meanwhile.length - seen,
  }
  const printed = {
    seed: SEED,
    ...run,
    told,
    strikes: strikes.length,
    longestStrike: Math.max(0, ...run.strikes),
  }
  process.stdout.write(`${expect.getState().currentTestName}: ${JSON.stringify(printed)}\n`)
  expect(complaints(kind, run)).toEqual([])
  return run
}

/** Repeats work, one after the other. */
export const times = async (count: number, work: () => Promise<void>): Promise<void> => {
  for (let round = 0; round < count; round += 1) await work()
}

/** Waits for a random time, at most this many milliseconds. */
export const moment = (most: number): Promise<void> => wait(random() * most)
