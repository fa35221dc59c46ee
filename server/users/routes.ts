import { refusal } from '@pool/contract/refusals'
import { currentUser, listUsers, login, register } from '@pool/contract/users'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { limits } from '../http/rateLimits.ts'
import { route } from '../http/route.ts'
import { logIn } from './logIn.ts'
import { admitAttempt, attemptSucceeded } from './loginThrottle.ts'
import { requireGoodPassword } from './passwordRules.ts'
import { inTurn } from './passwords.ts'
import * as queries from './queries.ts'
import { register as registerUser } from './register.ts'

export const userRoutes = (app: FastifyInstance, context: Context): void => {
  const { config, db } = context

  route(app, context, login, ({ payload, address }) =>
    inTurn(async () => {
      const attempt = config.rateLimits ? { username: payload.username, address } : undefined
      if (attempt) await admitAttempt(db, attempt)
      const { roles, ...signedIn } = await logIn(db, { ...payload, from: address })
      if (attempt) await attemptSucceeded(db, attempt)
      return { ...signedIn, roles: roles.map((type) => ({ type })) }
    }),
  )

  route(
    app,
    context,
    register,
    async ({ payload, address }) => {
      const { username, password, country, detail } = payload
      requireGoodPassword(password, { email: username, productName: config.productName })
      const { firstName, lastName } = detail
      const userId = await inTurn(() => registerUser(db, { email: username, password, country, firstName, lastName, from: address }))
      return { token: '' as const, userId, username }
    },
    limits(context, { perMinute: 20 }),
  )

  route(app, context, currentUser, async ({ query, session }) => {
    // The look-up is of oneself: another's name is refused whether or not it exists.
    if (query.username !== session.username) throw refusal('forbidden')
    const user = await queries.findUser(db, session.userId)
    if (!user) throw refusal('userNotFound')
    return user
  })

  route(app, context, listUsers, ({ query }) => queries.listUsers(db, query))
}
