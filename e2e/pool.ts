import { login, REGISTRATION_COUNTRY, type RoleType } from '@pool/contract/accounts/users'
import type { Coin } from '@pool/contract/base/assets'
import type { Body, Endpoint } from '@pool/contract/base/endpoint'
import { createUser } from '../server/accounts/users/register.ts'
import { addKey } from '../server/agreements/proposals/askForKeys.ts'
import { setRate } from '../server/agreements/proposals/askForRates.ts'
import { addWallets } from '../server/agreements/proposals/askForWallets.ts'
import { readConfig } from '../server/base/configuration/config.ts'
import { openKeys } from '../server/base/keys/keyFile.ts'
import { startSession } from '../server/base/sessions/sessions.ts'
import { connectTo } from '../server/testing/process.ts'
import { ask } from '../server/testing/request.ts'
import { signSessionsAgain } from '../server/testing/sessions.ts'
import { tamper } from '../server/testing/tamper.ts'
import { newcomer, PASSWORD, PASSWORD_HASH, type Session, SUPER_ADMIN } from './people.ts'

/** A running product: its API, and its database for what no call makes quickly. */
export type Pool = {
  readonly url: string
  readonly dataDir: string
  /** Makes a call and returns the body of its envelope. Throws the narration of a failed one. */
  readonly call: <E extends Endpoint>(
    endpoint: E,
    by: Session | undefined,
    payload?: object,
    params?: Readonly<Record<string, string>>,
  ) => Promise<Body<E>>
  /** A new person with a session, written by SQL, so that no password is hashed. */
  readonly person: (
    roles?: readonly RoleType[],
    name?: { readonly firstName: string; readonly lastName: string },
  ) => Promise<Session>
  /** Another session of a person. */
  readonly sessionOf: (person: Session) => Promise<Session>
  /** A session of the super admin. */
  readonly superAdmin: () => Promise<Session>
  /** Signs in by the API, as at a device: its password is verified. */
  readonly signIn: (username: string, password?: string) => Promise<Session>
  /** Makes the one-day investments of a user mature now. By the clock they take an hour. */
  readonly letMature: (userId: string) => Promise<void>
  /** Ends the quotes of a user's deposits now. By the clock they last minutes. */
  readonly endQuotes: (userId: string) => Promise<void>
  /** Makes the proven factors of a user older than the five minutes for which they serve. */
  readonly ageFactors: (userId: string) => Promise<void>
  /** Adds Bitcoin addresses as live mode does: they wait for a second member of staff. */
  readonly addWaiting: (by: Session, addresses: readonly string[]) => Promise<void>
  /** Adds a watch-only key as live mode does. */
  readonly addWaitingKey: (by: Session, networkName: string, key: string) => Promise<void>
  /** Asks for a rate as live mode does. */
  readonly askForRate: (asker: Session, coin: Coin, dollars: string) => Promise<void>
  /** Runs a job of the product soon, before its time. */
  readonly runJob: (name: string) => Promise<void>
  readonly close: () => Promise<void>
}

/** Opens a running product. Its database connects at the first query. */
export const openPool = ({ url, dataDir }: Pick<Pool, 'url' | 'dataDir'>): Pool => {
  // Long: the ways to ask and write a running product are short functions that share its state.
  const database = connectTo({ dataDir })
  const config = readConfig({ DATA_DIR: dataDir })
  const context = { db: database.db, keys: openKeys(config) }
  const live = { ...context, config: { ...config, poolMode: 'live' as const } }

  const call: Pool['call'] = async (endpoint, by, payload, params) => {
    const { successful, narration, body } = await ask({ url }, endpoint, {
      payload,
      ...(by && { token: by.token }),
      ...(params && { params }),
    })
    if (!successful) throw new Error(`${endpoint.method} ${endpoint.path}: ${narration}`)
    return body
  }

  return {
    url,
    dataDir,
    call,
    person: async (roles = ['USER'], name = { firstName: 'Grace', lastName: 'Hopper' }) => {
      const { email: username } = newcomer()
      const userId = await createUser(
        context,
        {
          ...name,
          email: username,
          passwordHash: PASSWORD_HASH,
          country: REGISTRATION_COUNTRY,
          from: 'tests',
        },
        roles,
        // As after a registration, the email waits for its confirmation.
        async () => undefined,
      )
      const token = await startSession(context, userId)
      return { token, userId, username, roles: roles.map((type) => ({ type })) }
    },
    sessionOf: async (person) => ({
      ...person,
      token: await startSession(context, person.userId),
    }),
    superAdmin: async () => {
      const { id: userId, username } = await database.db
        .selectFrom('users')
        .select(['id', 'username'])
        .where('username', '=', SUPER_ADMIN.email)
        .executeTakeFirstOrThrow()
      const token = await startSession(context, userId)
      return { token, userId, username, roles: [{ type: 'SUPER_ADMIN' }] }
    },
    signIn: async (username, password = PASSWORD) => call(login, undefined, { username, password }),
    letMature: (userId) =>
      tamper(
        database,
        `UPDATE investments SET matures_at = now() WHERE user_id = '${userId}' AND duration_days = 1`,
      ),
    endQuotes: (userId) =>
      tamper(
        database,
        `UPDATE quotes SET created_at = created_at - interval '1 day', ends_at = now()
         WHERE ends_at > now() AND deposit_id IN (SELECT id FROM transactions WHERE user_id = '${userId}')`,
      ),
    ageFactors: async (userId) => {
      await database.pool.query(
        "UPDATE sessions SET factor_at = factor_at - interval '5 minutes' WHERE user_id = $1",
        [userId],
      )
      await signSessionsAgain(database.pool, context.keys, userId)
    },
    addWaiting: async ({ userId: id, username: name }, addresses) => {
      await addWallets(
        live,
        { by: { id, name, from: 'tests' }, language: 'en' },
        { addresses, networkName: 'Bitcoin' },
      )
    },
    addWaitingKey: async ({ userId: id, username: name }, networkName, key) => {
      const asking = { by: { id, name, from: 'tests' }, language: 'en' } as const
      await addKey(live, asking, { networkName, key })
    },
    askForRate: async ({ userId: id, username: name }, coin, dollars) => {
      const asking = { by: { id, name, from: 'tests' }, language: 'en' } as const
      await setRate(live, asking, { coin, dollars })
    },
    runJob: async (name) => {
      await database.pool.query('SELECT graphile_worker.add_job($1)', [name])
    },
    close: () => database.close(),
  }
}
