/**
 * One run of the fault suite: products on one database, load on them, faults at random moments, and what is left afterwards. The books are then
 * whole, whatever was acknowledged is there exactly once, and the product answers again without help. Every test run strikes a few times;
 * FAULTS=full often.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { health } from '@pool/contract/health'
import { expect, vi } from 'vitest'
import { addressOf } from '../server/db/cluster.ts'
import { preparePostgresFiles } from '../server/db/postgresFiles.ts'
import { runningServer } from '../server/db/postmaster.ts'
import { ADMIN, ask, newInvestor, SETTINGS, signIn } from '../server/testing/client.ts'
import { connectTo, type dataDirectory, type RunningProduct } from '../server/testing/process.ts'
import { FULL } from '../server/testing/rounds.ts'
import { type LoadPlan, randomFrom } from './plan.ts'
import { contradictions, type Figures, figuresOf, readOperations } from './verify.ts'

/** How long a test of faults may take. */
export const LIMIT = { timeout: FULL ? 1_200_000 : 300_000 }

export type Directory = ReturnType<typeof dataDirectory>

const SEED = Number(process.env.FAULTS_SEED ?? Math.floor(Math.random() * 1e9))
/** The moments of the faults; the same for the same seed. */
const random = randomFrom(SEED)

const CLIENTS = 8
/** What each of them starts with, in dollars. */
const FUNDS = 250_000

const freePort = async (): Promise<string> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return String(typeof address === 'object' ? address?.port : '')
}

/** A product that comes back on the same port, so that clients find it again. */
export type Node = {
  readonly url: string
  /** The running product; throws while it is down. */
  readonly product: () => RunningProduct
  readonly start: () => Promise<void>
  /** Ends it by a signal; resolves once it is gone. */
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>
}

export const openNode = async (directory: Directory, environment: Record<string, string> = {}): Promise<Node> => {
  const port = await freePort()
  let running: RunningProduct | undefined
  const product = (): RunningProduct => {
    if (!running) throw new Error('The product is down.')
    return running
  }
  const start = async () => {
    running = await directory.start({ ...SETTINGS, LOG_LEVEL: 'error', PORT: port, ...environment })
  }
  await start()
  return { url: product().url, product, start, end: (signal) => product().end(signal) }
}

/** The address of the database of a data directory, for a product that uses it as a guest. */
export const addressOfDatabase = ({ dataDir }: Directory): string => {
  const { host, port, user, password } = addressOf(preparePostgresFiles(dataDir, () => undefined))
  return `postgres://${user}:${password}@${encodeURIComponent(host)}:${port}/pool`
}

type Load = {
  /** How many operations got no answer at first, so far. */
  readonly unanswered: () => number
  /** Resolves when one more has been acknowledged: the product answers again. */
  readonly goesOn: () => Promise<void>
  readonly stop: () => Promise<void>
  /** Ends it at once, should it still run. */
  readonly kill: () => void
}

const startLoad = (plan: LoadPlan): Load => {
  writeFileSync(plan.file, '')
  const child: ChildProcess = spawn(process.execPath, [join(import.meta.dirname, 'load.ts')], {
    stdio: ['pipe', 'inherit', 'inherit', 'ipc'],
  })
  child.stdin?.end(JSON.stringify(plan))
  const acknowledged = () => readOperations(plan.file).filter(({ outcome }) => outcome === 'acknowledged').length
  const goesOn = async () => {
    const before = acknowledged()
    await expect.poll(acknowledged, { timeout: 60_000, interval: 100 }).toBeGreaterThan(before)
  }
  const stop = async () => {
    if (child.exitCode !== null) throw new Error('The load ended by itself.')
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    expect((await ended)[0]).toBe(0)
  }
  return {
    unanswered: () => readOperations(plan.file).filter(({ wasUnknown }) => wasUnknown).length,
    goesOn,
    stop,
    kill: () => child.kill('SIGKILL'),
  }
}

type Options = { readonly nodes: readonly Node[]; readonly directory: Directory; readonly repeatAll?: boolean }

/**
 * Puts load on the products while `strike` does its worst, and then shows that nothing was lost, doubled or left half done: throws otherwise.
 * Returns the figures, and prints them with the seed.
 */
export const underLoad = async (
  { nodes, directory, repeatAll = false }: Options,
  strike: (load: Load) => Promise<void>,
): Promise<Figures> => {
  const [first] = nodes
  if (!first) throw new Error('There is nothing to strike.')
  const investors = await Promise.all(Array.from({ length: CLIENTS }, () => newInvestor(first.product(), FUNDS)))
  const admin = await signIn(first.product(), ADMIN)
  const plan: LoadPlan = {
    urls: nodes.map(({ url }) => url),
    file: join(directory.directory, 'operations'),
    seed: SEED,
    people: investors.map(({ email, ...investor }) => ({ ...investor, username: email })),
    admin: { ...admin, ...ADMIN },
    repeatAll,
  }
  const load = startLoad(plan)
  try {
    await load.goesOn()
    await strike(load)
    // Without help the product answers again.
    await load.goesOn()
    await load.stop()
  } finally {
    load.kill()
  }

  expect(await directory.command('ledgerCheck')).toMatchObject({ code: 0, text: expect.stringContaining('The ledger is whole') })
  expect(await directory.command('auditCheck')).toMatchObject({ code: 0, text: expect.stringContaining('The audit trail is whole') })
  const operations = readOperations(plan.file)
  const { pool, close } = connectTo(directory)
  try {
    expect(await contradictions(operations, pool)).toEqual([])
  } finally {
    await close()
  }
  for (const { product } of nodes) expect((await ask(product(), health)).status).toBe(200)
  const figures = figuresOf(operations)
  process.stdout.write(`${expect.getState().currentTestName}: ${JSON.stringify({ seed: SEED, ...figures })}\n`)
  return figures
}

/** Strikes so many times, one after the other. */
export const times = async (count: number, strike: () => Promise<void>): Promise<void> => {
  for (let round = 0; round < count; round += 1) await strike()
}

/** Waits for a random while, at most this many milliseconds. */
export const moment = (most: number): Promise<void> => wait(random() * most)

/** The process of the database of a data directory, once there is one other than `before`. */
export const postmaster = ({ dataDir }: Directory, before?: number): Promise<number> =>
  vi.waitFor(
    () => {
      const found = runningServer({ cluster: join(dataDir, 'postgres') })
      if (found === undefined || found === before) throw new Error('The database is down.')
      return found
    },
    { timeout: 60_000, interval: 50 },
  )
