import type { APIRequest } from '@playwright/test'
import type { Body, Endpoint } from '@pool/contract/endpoint'
import { login, REGISTRATION_COUNTRY, type RoleType } from '@pool/contract/users'
import { readConfig } from '../server/config.ts'
import { openKeys } from '../server/keys/keyFile.ts'
import { startSession } from '../server/sessions/sessions.ts'
import { connectTo } from '../server/testing/process.ts'
import { tamper } from '../server/testing/tamper.ts'
import { createUser } from '../server/users/register.ts'
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
  /** Makes the proven factors of a user older than the five minutes for which they serve. */
  readonly ageFactors: (userId: string) => Promise<void>
  readonly close: () => Promise<void>
}

/** Opens a running product. Its database connects at the first query. */
export const openPool = async (
  { url, dataDir }: Pick<Pool, 'url' | 'dataDir'>,
  request: APIRequest,
): Promise<Pool> => {
  const api = await request.newContext({ baseURL: url })
  const database = connectTo({ dataDir })
  const context = { db: database.db, keys: openKeys(readConfig({ DATA_DIR: dataDir })) }

  const call: Pool['call'] = async ({ method, path }, by, payload, params = {}) => {
    const response = await api.fetch(
      path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? ''),
      {
        method,
        ...(payload && { data: payload }),
        headers: by ? { authorization: `Bearer ${by.token}` } : {},
      },
    )
    const { successful, narration, body } = await response.json()
    if (!successful) throw new Error(`${method} ${path}: ${narration}`)
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
      const token = await startSession(database.db, userId)
      return { token, userId, username, roles: roles.map((type) => ({ type })) }
    },
    sessionOf: async (person) => ({
      ...person,
      token: await startSession(database.db, person.userId),
    }),
    superAdmin: async () => {
      const { id: userId, username } = await database.db
        .selectFrom('users')
        .select(['id', 'username'])
        .where('username', '=', SUPER_ADMIN.email)
        .executeTakeFirstOrThrow()
      const token = await startSession(database.db, userId)
      return { token, userId, username, roles: [{ type: 'SUPER_ADMIN' }] }
    },
    signIn: async (username, password = PASSWORD) =>
      (await call(login, undefined, { username, password })) as Session,
    letMature: (userId) =>
      tamper(
        database,
        `UPDATE investments SET matures_at = now() WHERE user_id = '${userId}' AND duration_days = 1`,
      ),
    ageFactors: async (userId) => {
      await database.pool.query(
        "UPDATE sessions SET factor_at = factor_at - interval '5 minutes' WHERE user_id = $1",
        [userId],
      )
    },
    close: async () => {
      await api.dispose()
      await database.close()
    },
  }
}
