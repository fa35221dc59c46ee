import { randomBytes, randomUUID } from 'node:crypto'
import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Endpoint } from '@pool/contract/base/endpoint'
import { markCompleted, markSent } from '@pool/contract/coins/sending'
import { invest, listAllInvestments, listInvestments } from '@pool/contract/money/investments'
import { approve, confirm } from '@pool/contract/requests/decisions'
import { deposit, withdraw } from '@pool/contract/requests/requests'
import { listTransactions } from '@pool/contract/requests/transactions'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ADMIN, balanceOf, newInvestor, SETTINGS, signIn } from '../../testing/client.ts'
import { DUE, openDeskBeside } from '../../testing/deskBeside.ts'
import { connectTo, dataDirectory, type RunningProduct } from '../../testing/process.ts'
import { lastRelease, unpackPool, unpackSources } from '../../testing/releases.ts'
import { ask } from '../../testing/request.ts'
import { type Embedded, startEmbedded } from '../postgres/embedded.ts'
import { openLog } from '../process/log.ts'
import { newestMigration } from './migrate.ts'

type Directory = ReturnType<typeof dataDirectory>

let cleanUp: (() => Promise<unknown>)[] = []
beforeEach(() => {
  cleanUp = []
})
afterEach(async () => {
  for (const each of cleanUp.reverse()) await each()
})

/** A server of the database alone, as other machines have it, with a pool of this version. */
const restored = async (version: string) => {
  const place = dataDirectory()
  cleanUp.push(place.remove)
  const sources = unpackSources(version, place.directory)
  const old = dataDirectory(undefined, SETTINGS, sources)
  cleanUp.push(old.remove)
  unpackPool(version, old.directory)
  mkdirSync(old.dataDir)
  cpSync(join(old.directory, 'keys'), join(old.dataDir, 'keys'), { recursive: true })
  expect(await old.command('restore', join(old.directory, 'pool'))).toMatchObject({ code: 0 })
  const database = await startEmbedded(old.dataDir, { log: openLog('silent') })
  cleanUp.push(database.stop)
  const settings = {
    ...SETTINGS,
    ...urlsOf(database),
    INTEGRITY_KEY_FILE: join(old.dataDir, 'keys/integrity'),
  }
  return { sources, settings, dataDir: old.dataDir }
}

const urlsOf = ({ app, owner }: Embedded) => {
  const [DATABASE_URL = '', DATABASE_OWNER_URL = ''] = [app, owner].map(
    ({ user, password, host, port }) =>
      `postgres://${user}:${password}@${encodeURIComponent(host)}:${port}/pool`,
  )
  return { DATABASE_URL, DATABASE_OWNER_URL }
}

type Acknowledged = {
  readonly endpoint: Endpoint
  readonly request: {
    readonly token: string
    readonly params: { readonly id?: string }
    readonly payload: object
    readonly key: string
  }
  readonly body: unknown
}
type Investor = Awaited<ReturnType<typeof newInvestor>>

/** Moves money until told to stop, one call after the other. Throws for a refused call. */
const moveMoney = (product: RunningProduct, investor: Investor, admin: { token: string }) => {
  const acknowledged: Acknowledged[] = []
  let stopping = false
  const { token, userId } = investor

  const call = async <E extends Endpoint>(
    endpoint: E,
    payload: object,
    { by = token, params = {} }: { readonly by?: string; readonly params?: { id?: string } } = {},
  ) => {
    const request = { token: by, params, payload, key: randomUUID() }
    const { status, body, narration } = await ask(product, endpoint, request)
    if (status !== 200) throw new Error(`${status} for ${endpoint.path}: ${narration}`)
    acknowledged.push({ endpoint, request, body })
    return body
  }
  const round = async () => {
    await call(invest, { userId, amount: 10, durationDays: 1 })
    const asked = await call(deposit, { userId, amount: 30 })
    const evidence = randomBytes(32).toString('hex')
    const by = admin.token
    await call(confirm, { transactionId: asked.transactionId, evidence }, { by })
    const { transactionId } = await call(withdraw, { userId, amount: 20 })
    await call(approve, { transactionId, userId }, { by })
    // Only so many of a person may wait to be sent.
    const sent = { networkName: 'Bitcoin', evidence: randomBytes(32).toString('hex') }
    await call(markSent, sent, { by, params: { id: transactionId } })
    for (const list of [listTransactions, listInvestments, listAllInvestments]) {
      const reader = list === listAllInvestments ? by : token
      const { status } = await ask(product, list, { token: reader, params: { userId } })
      if (status !== 200) throw new Error(`${status} for ${list.path}`)
    }
  }
  const done = (async () => {
    while (!stopping) await round()
  })()
  // Read below, where a failure is thrown.
  done.catch(() => undefined)
  return {
    acknowledged,
    rounds: async (count: number) => {
      const from = acknowledged.length
      while (acknowledged.length < from + 6 * count)
        await Promise.race([new Promise((resolve) => setImmediate(resolve)), done])
    },
    stop: async () => {
      stopping = true
      await done
    },
  }
}

/** Pays withdrawals out that one version approved, and the other one completes. */
const completeAcross = async (
  [old, next]: readonly [RunningProduct, RunningProduct],
  { userId, token }: Investor,
  by: { readonly token: string },
) => {
  const ready = async (product: RunningProduct) => {
    const { body } = await ask(product, withdraw, { token, payload: { userId, amount: 20 } })
    const { transactionId } = body
    await ask(product, approve, { ...by, payload: { transactionId, userId } })
    const payload = { networkName: 'Bitcoin', evidence: randomBytes(32).toString('hex') }
    const sent = await ask(old, markSent, { ...by, params: { id: transactionId }, payload })
    expect(sent.status).toBe(200)
    return { ...by, params: { id: transactionId } }
  }
  expect(await ask(next, markCompleted, await ready(old))).toMatchObject({ status: 200 })
  expect(await ask(old, markCompleted, await ready(next))).toMatchObject({ status: 200 })
}

test('the last release serves while this version migrates and joins', async () => {
  const { sources, settings, dataDir } = await restored(lastRelease)
  const [before, after] = [sources, undefined].map((server) =>
    dataDirectory(undefined, settings, server),
  ) as [Directory, Directory]
  cleanUp.push(before.remove, after.remove)
  const old = await before.start()
  const investors = await Promise.all(Array.from({ length: 4 }, () => newInvestor(old, 5_000)))
  const admin = await signIn(old, ADMIN)
  const onOld = investors.slice(0, 3).map((each) => moveMoney(old, each, admin))
  await Promise.all(onOld.map((each) => each.rounds(1)))

  const next = await after.start()
  // Right after a release, the sources are the same.
  const migrates = newestMigration() > newestMigration(join(sources, 'base/migrations'))
  if (migrates) expect(next.output()).toContain('database migrated')
  // Sessions of the older node hold on the newer one. One investor uses both.
  const onNext = investors.slice(2).map((each) => moveMoney(next, each, admin))
  const all = [...onOld, ...onNext]
  await Promise.all(all.map((each) => each.rounds(2)))
  const late = await newInvestor(old, 50)
  expect(await balanceOf(next, late)).toBe(50)
  await completeAcross([old, next], late, admin)
  // The older node goes on beside loans of the newer one.
  const desk = await openDeskBeside({ dataDir })
  cleanUp.push(desk.close)
  await desk.repay(await desk.lend(), DUE)
  await Promise.all(all.map((each) => each.rounds(1)))
  await Promise.all(all.map((each) => each.stop()))
  expect(await old.end('SIGTERM')).toBe(0)
  // An ended older node does not come back beside a newer database.
  if (migrates) await expect(before.start()).rejects.toThrow(/Start the newer version/)

  const acknowledged = all.flatMap((each) => each.acknowledged)
  for (const { endpoint, request, body } of acknowledged) {
    const repeated = await ask(next, endpoint, request)
    expect([endpoint.path, repeated]).toMatchObject([endpoint.path, { status: 200, body }])
  }
  const database = connectTo({ dataDir })
  cleanUp.push(database.close)
  const count = (wanted: Endpoint) =>
    acknowledged.filter(({ endpoint }) => endpoint === wanted).length
  const { rows } = await database.pool.query(
    "SELECT type, count(*)::int AS count FROM transactions WHERE user_id = ANY ($1) AND type <> 'payout' GROUP BY type ORDER BY type",
    [investors.map(({ userId }) => userId)],
  )
  expect(rows).toEqual([
    { type: 'deposit', count: count(deposit) + investors.length },
    { type: 'investment', count: count(invest) },
    { type: 'withdrawal', count: count(withdraw) },
  ])
  for (const check of ['ledgerCheck', 'auditCheck'])
    expect(await after.command(check)).toMatchObject({ code: 0 })
})
