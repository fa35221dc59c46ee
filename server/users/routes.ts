import { refusal } from '@pool/contract/refusals'
import {
  changePassword,
  currentUser,
  listUsers,
  login,
  logout,
  register,
} from '@pool/contract/users'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { changePassword as change } from '../credentials/changePassword.ts'
import { logIn } from '../credentials/logIn.ts'
import { logOut } from '../credentials/logOut.ts'
import { requireGoodPassword } from '../credentials/passwordRules.ts'
import { inTurn } from '../credentials/passwords.ts'
import {
  type Attempt,
  admitAttempt,
  admitRegistration,
  attemptSucceeded,
} from '../credentials/throttle.ts'
import { limits } from '../http/rateLimits.ts'
import { route } from '../http/route.ts'
import * as queries from './queries.ts'
import { register as registerUser } from './register.ts'

export const userRoutes = (app: FastifyInstance, context: Context): void => {
  const { config, db } = context

  /** Runs an attempt with a password, counted as failed unless it succeeds. */
  const attempting = <T>(attempt: Attempt, look: () => Promise<T>): Promise<T> =>
    inTurn(async () => {
      if (config.rateLimits) await admitAttempt(db, attempt)
      const found = await look()
      if (config.rateLimits) await attemptSucceeded(db, attempt)
      return found
    })

  route(app, context, login, ({ payload, ip }) =>
    attempting({ username: payload.username, ip }, async () => {
      const { roles, ...signedIn } = await logIn(context, { ...payload, from: ip })
      return { ...signedIn, roles: roles.map((type) => ({ type })) }
    }),
  )

  route(
    app,
    context,
    register,
    async ({ payload, ip }) => {
      const { username, password, country, detail } = payload
      const { firstName, lastName } = detail
      requireGoodPassword(password, {
        email: username,
        firstName,
        lastName,
        productName: config.productName,
        field: 'password',
      })
      const userId = await inTurn(async () => {
        if (config.rateLimits) await admitRegistration(db, ip)
        return registerUser(context, {
          email: username,
          password,
          country,
          firstName,
          lastName,
          from: ip,
        })
      })
      return { token: '' as const, userId, username }
    },
    limits(context, { perMinute: 20, per: 'ip' }),
  )

  route(app, context, currentUser, async ({ query, session }) => {
    // A user may look up only themselves. Another name is refused, existing or not.
    if (query.username !== session.username) throw refusal('forbidden')
    const user = await queries.findUser(db, session.userId)
    if (!user) throw refusal('userNotFound')
    return user
  })

  route(
    app,
    context,
    changePassword,
    async ({ payload, session: { userId, username }, by, ip }) => {
      const names = (await queries.findUser(db, userId))?.detail
      requireGoodPassword(payload.newPassword, {
        ...names,
        email: username,
        productName: config.productName,
        field: 'newPassword',
      })
      return attempting({ username, ip }, async () => ({
        token: await change(context, { userId, ...payload, by }),
      }))
    },
    limits(context, { perMinute: 20, per: 'user' }),
  )

  route(
    app,
    context,
    logout,
    async ({ by }) => {
      await logOut(context, by)
      return null
    },
    limits(context, { perMinute: 20, per: 'user' }),
  )

  route(app, context, listUsers, ({ query }) => queries.listUsers(db, query))
}
