import { randomBytes, randomUUID } from 'node:crypto'
import type { RoleType } from '@pool/contract/accounts/users'
import type { Body, Endpoint } from '@pool/contract/base/endpoint'
import { type Cents, cents, centsFromDollars } from '@pool/contract/base/money'
import { balance } from '@pool/contract/requests/transactions'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll } from 'vitest'
import { createUser } from '../accounts/users/register.ts'
import { type Config, readConfig } from '../base/configuration/config.ts'
import type { Database } from '../base/db/connection.ts'
import type { Replica } from '../base/db/replica.ts'
import { idOf, KEY_LENGTH, type Keys, keysOf, type Secret } from '../base/keys/keys.ts'
import { openLifecycle } from '../base/process/lifecycle.ts'
import { type Log, openLog } from '../base/process/log.ts'
import { TIMEOUTS } from '../base/process/timeouts.ts'
import { openSessionLookup } from '../base/sessions/lookup.ts'
import { startSession } from '../base/sessions/sessions.ts'
import { addWallet } from '../chain/wallets/addWallet.ts'
import { openHub } from '../http/changes/hub.ts'
import { noPages } from '../http/serving/pages.ts'
import { openLedger } from '../ledger/engine/ledger.ts'
import { openPlans } from '../ledger/families/knownPlans.ts'
import { setLimits } from '../money/brakes/limits.ts'
import { contributeCapital } from '../money/reserve/contributeCapital.ts'
import { buildApp, type Served } from '../operator/app.ts'
import { confirmDeposit } from '../requests/transactions/confirmDeposit.ts'
import { requestDeposit } from '../requests/transactions/requestDeposit.ts'
import { newAddress } from './addresses.ts'
import { rewindEach, type TestDatabase, testDatabase } from './database.ts'
import { type Answer, httpOf, type Request } from './request.ts'

/** A whole server on its own database. */
export type Product = {
  readonly app: FastifyInstance
  readonly context: Served
  readonly database: TestDatabase
  readonly call: <E extends Endpoint>(endpoint: E, request?: Request) => Promise<Answer<Body<E>>>
  readonly close: () => Promise<void>
}

/** The code of a refusal. */
export const codeOf = ({ body }: Answer): unknown => (body as { code?: unknown } | null)?.code

export type Person = { readonly id: string; readonly email: string; readonly token: string }

/** Initial reserve of tests in cents, enough for their interest by default. */
const RESERVE = cents(100_000_00n)

/** A random key. */
export const newSecret = (): Secret => {
  const bytes = randomBytes(KEY_LENGTH)
  return { id: idOf(bytes), bytes }
}

/** Random keys for one product. */
export const newKeys = (): Keys => keysOf([newSecret()])

const API_ALONE = { pages: noPages }

type ProductOptions = {
  readonly reserve?: Cents
  readonly timeouts?: typeof TIMEOUTS
  readonly log?: Log
  readonly keys?: Keys
  /** An empty database. Undefined makes one. */
  readonly database?: TestDatabase
  /** Serves the web app, too. Its files are half of the work of a start. */
  readonly pages?: true
  /** Opens its replica. The test closes it. */
  readonly replica?: (database: Database) => Replica
}

/** Starts the server on an empty database, without a port. */
export const startProduct = async (
  environment: Record<string, string> = {},
  {
    reserve = RESERVE,
    timeouts = TIMEOUTS,
    log = openLog('silent'),
    keys = newKeys(),
    ...given
  }: ProductOptions = {},
): Promise<Product> => {
  const database = given.database ?? (await testDatabase('app', log))
  const config: Config = readConfig({ RATE_LIMITS: 'off', ...environment })
  const lifecycle = openLifecycle()
  const context: Served = {
    config,
    plans: openPlans(database.db),
    db: database.db,
    outages: database.outages,
    replica: given.replica?.(database),
    keys,
    ledger: openLedger(database.pool),
    sessions: openSessionLookup(database.pool, keys),
    hub: openHub(database, log),
    lifecycle,
    timeouts,
  }
  // Tests do the work of the jobs themselves.
  lifecycle.serve({ isRunning: () => true })
  await setLimits(context, config)
  if (reserve > 0n)
    await contributeCapital(context, { amount: reserve, note: 'for tests', contributedBy: 'tests' })
  const app = await buildApp(context, log, given.pages ? {} : API_ALONE)
  return {
    app,
    context,
    database,
    call: (endpoint, request) => call(app, endpoint, request),
    close: async () => {
      await app.close()
      await context.hub.stop()
      await database.close()
    },
  }
}

/** A product of a test file, which starts before its tests and is closed after them. */
export const testProduct = (
  environment?: Record<string, string>,
  means?: ProductOptions,
): Product => {
  let product: Product | undefined
  const started = (): Product => {
    if (product === undefined) throw new Error('the product starts before the first test')
    return product
  }
  beforeAll(async () => {
    product = await startProduct(environment, means)
  })
  afterAll(() => product?.close())
  return {
    get app() {
      return started().app
    },
    get context() {
      return started().context
    },
    get database() {
      return started().database
    },
    call: (endpoint, request) => started().call(endpoint, request),
    close: () => started().close(),
  }
}

/** A product of a test file. Each test begins with the rows that it had before the first one. */
export const rewoundProduct = (
  environment?: Record<string, string>,
  means?: ProductOptions,
): Product => {
  const product = testProduct(environment, means)
  rewindEach(() => product.database)
  return product
}

/** A second process of a product: the same database, with posting groups of its own. */
export const secondProcess = ({ context, database }: Product): Promise<FastifyInstance> =>
  buildApp(
    { ...context, ledger: openLedger(database.pool), plans: openPlans(database.db) },
    openLog('silent'),
    API_ALONE,
  )

/** The product on its database, started again with other keys. */
export const startedAgain = async (product: Product, keys: Keys): Promise<Product> => {
  const sessions = openSessionLookup(product.database.pool, keys)
  const context = { ...product.context, keys, sessions }
  const app = await buildApp(context, openLog('silent'), API_ALONE)
  return {
    app,
    context,
    database: product.database,
    call: (endpoint, request) => call(app, endpoint, request),
    close: async () => {
      await app.close()
    },
  }
}

const call = async <E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  request?: Request,
): Promise<Answer<Body<E>>> => {
  const { path, ...sent } = httpOf(endpoint, request)
  const response = await app.inject({ url: path, ...sent })
  const status = response.statusCode
  // A file has no envelope.
  if (endpoint.downloads && status === 200)
    return { status, successful: true, narration: '', body: response.rawPayload as Body<E> }
  return { status, ...response.json<Omit<Answer<Body<E>>, 'status'>>() }
}

export const PASSWORD = 'correct horse battery'
/** Hash of that password, made once, because hashing is slow. */
const PASSWORD_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$TScql5KAjcRVYiNBYQBVbQ$zRFhFckG9SZvxhWMCnGbKkD4ugzTnsgsikRYsJ80Uwk'

/** Creates a signed-in person with these roles and the {@link PASSWORD}. */
export const person = async (
  { context }: { readonly context: Pick<Served, 'db' | 'keys' | 'config'> },
  roles: readonly RoleType[] = ['USER'],
): Promise<Person> => {
  const email = `${randomUUID()}@example.com`
  const id = await createUser(
    context,
    {
      email,
      passwordHash: PASSWORD_HASH,
      firstName: 'Test',
      lastName: 'Person',
      country: 'US',
      from: 'tests',
    },
    roles,
  )
  const needsFactor = context.config.poolMode === 'live' && roles.some((role) => role !== 'USER')
  if (needsFactor) await addFactor({ context }, id)
  const factorAt = needsFactor ? sql<Date>`now()` : null
  return { id, email, token: await startSession(context, id, { factorAt }) }
}

/** Gives a person an authenticator app, as staff need one in live mode. */
const addFactor = async (
  { context: { db, keys } }: { readonly context: Pick<Served, 'db' | 'keys'> },
  user_id: string,
): Promise<void> => {
  const factor = { id: randomUUID(), kind: 'TOTP', name: 'App', last_step: 0n } as const
  await db
    .insertInto('factors')
    .values({ ...factor, user_id, key_id: keys.ids[0] ?? '' })
    .execute()
}

/** A person as the actor of a decision. */
export const actAs = ({ id, email }: Pick<Person, 'id' | 'email'>) => ({
  id,
  name: email,
  from: 'tests',
})

/** Adds available wallets and returns their addresses. */
export const wallets = async ({ context }: Product, count: number): Promise<string[]> => {
  const addresses = Array.from({ length: count }, () => newAddress())
  for (const address of addresses)
    await addWallet(context, { address, networkName: 'Bitcoin' }, { name: 'tests', from: 'tests' })
  return addresses
}

/** Funds an investor in cents, by a deposit that enough admins confirm. */
export const fund = async (product: Product, investor: Person, amount: Cents): Promise<void> => {
  const { context } = product
  await wallets(product, 1)
  const { transactionId } = await requestDeposit(context.ledger, {
    by: { id: investor.id, from: 'tests' },
    amount,
  })
  const evidence = context.config.poolMode === 'live' ? randomBytes(32).toString('hex') : undefined
  const confirmAs = async (admin: Person) =>
    confirmDeposit(context, { transactionId, by: actAs(admin), evidence })
  const { status } = await confirmAs(await person(product, ['ADMIN']))
  if (status === 'PENDING') await confirmAs(await person(product, ['ADMIN']))
}

/** A new investor with this many dollars available. */
export const investorWith = async (product: Product, dollars: number): Promise<Person> => {
  const investor = await person(product)
  await fund(product, investor, centsFromDollars(dollars))
  return investor
}

/** The available dollars of a person, from the API. */
export const balanceOf = async (product: Product, { id, token }: Person): Promise<unknown> =>
  (await product.call(balance, { token, payload: { userId: id } })).body
