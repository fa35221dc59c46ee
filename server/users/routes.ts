import { askEmailLink, changeEmail, confirmEmail } from '@pool/contract/emails'
import { acceptInvite } from '@pool/contract/invites'
import { refusal } from '@pool/contract/refusals'
import { endOtherSessions, endSession, freezeAccount, listSessions } from '@pool/contract/sessions'
import {
  changePassword,
  currentUser,
  forgotPassword,
  listUsers,
  login,
  logout,
  register,
  resetPassword,
} from '@pool/contract/users'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { admitEmailLink } from '../credentials/admitEmailLink.ts'
import { admitReset } from '../credentials/admitReset.ts'
import { askEmailChange } from '../credentials/askEmailChange.ts'
import { askEmailLink as askLink, mailConfirmation } from '../credentials/askEmailLink.ts'
import { askPasswordReset } from '../credentials/askPasswordReset.ts'
import { attempting } from '../credentials/attempting.ts'
import { changePassword as change } from '../credentials/changePassword.ts'
import { confirmEmail as confirm } from '../credentials/confirmEmail.ts'
import { endOtherSessions as endOthers, endOwnSession } from '../credentials/endSessions.ts'
import { freezeByLink } from '../credentials/freeze.ts'
import { logIn, provePassword } from '../credentials/logIn.ts'
import { logOut } from '../credentials/logOut.ts'
import { requireGoodPassword } from '../credentials/passwordRules.ts'
import { inTurn } from '../credentials/passwords.ts'
import { requirePassword } from '../credentials/requirePassword.ts'
import { resetPassword as reset } from '../credentials/resetPassword.ts'
import { proveAtSignIn } from '../factors/proveAtSignIn.ts'
import { limits } from '../http/rateLimits.ts'
import { route } from '../http/route.ts'
import { listSessions as list } from '../sessions/ownSessions.ts'
import { admitRegistration } from './admitRegistration.ts'
import { acceptInvite as accept } from './invites.ts'
import * as queries from './queries.ts'
import { register as registerUser } from './register.ts'

export const userRoutes = (app: FastifyInstance, context: Context): void => {
  const { config, db } = context

  route(
    app,
    context,
    login,
    async ({ payload: { factor, ...payload }, ip, userAgent, language, origin }) => {
      const user = await attempting(context, { username: payload.username, ip }, () =>
        provePassword(context, { ...payload, from: ip }),
      )
      const hasProvenFactor = await proveAtSignIn(context, user, {
        answer: factor,
        from: ip,
        language,
        origin,
      })
      const { roles, ...signedIn } = await logIn(context, user, {
        device: { ip, userAgent },
        language,
        hasProvenFactor,
      })
      return { ...signedIn, roles: roles.map((type) => ({ type })) }
    },
  )

  route(
    app,
    context,
    register,
    async ({ payload, ip, language }) => {
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
        return registerUser(
          context,
          { email: username, password, country, firstName, lastName, from: ip },
          ['USER'],
          (transaction, id) =>
            mailConfirmation(context, transaction, { id, username, firstName, language }),
        )
      })
      return { token: '' as const, userId, username }
    },
    limits(context, { perMinute: 20, per: 'ip' }),
  )

  route(
    app,
    context,
    forgotPassword,
    async ({ payload: { username }, ip, language }) => {
      if (config.rateLimits) await admitReset(db, { username, ip })
      await askPasswordReset(context, { username, language, from: ip })
      return null
    },
    limits(context, { perMinute: 20, per: 'ip' }),
  )

  route(
    app,
    context,
    resetPassword,
    async ({ payload, ip, language }) => {
      await inTurn(() => reset(context, { ...payload, language, from: ip }))
      return null
    },
    limits(context, { perMinute: 20, per: 'ip' }),
  )

  route(
    app,
    context,
    acceptInvite,
    async ({ payload, ip }) => {
      await inTurn(() => accept(context, { ...payload, from: ip }))
      return null
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
    async ({ payload, session: { userId, username }, by, ip, userAgent, language }) => {
      const names = (await queries.findUser(db, userId))?.detail
      requireGoodPassword(payload.newPassword, {
        ...names,
        email: username,
        productName: config.productName,
        field: 'newPassword',
      })
      return attempting(context, { username, ip }, async () => ({
        token: await change(context, { userId, ...payload, language, userAgent, by }),
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

  emailRoutes(app, context)
  sessionRoutes(app, context)

  route(app, context, listUsers, ({ query, lagging }) => queries.listUsers(db, query, lagging))
}

/** The email address of a user. */
const emailRoutes = (app: FastifyInstance, context: Context): void => {
  const { config, db } = context

  route(
    app,
    context,
    confirmEmail,
    ({ payload: { token }, ip, language }) => confirm(context, { token, language, from: ip }),
    limits(context, { perMinute: 20, per: 'ip' }),
  )

  const asking = limits(context, { perMinute: 20, per: 'user' })
  route(
    app,
    context,
    askEmailLink,
    async ({ session: { userId, username }, by, ip, language }) => {
      if (config.rateLimits) await admitEmailLink(db, { userId, email: username, ip })
      await askLink(context, { by, language })
      return null
    },
    asking,
  )

  route(
    app,
    context,
    changeEmail,
    async ({ payload, session: { userId, username }, by, ip, language }) => {
      const { email, password } = payload
      await attempting(context, { username, ip }, () =>
        requirePassword(context, { userId, password, by }),
      )
      if (config.rateLimits) await admitEmailLink(db, { userId, email, ip })
      await askEmailChange(context, { email, language, by })
      return null
    },
    asking,
  )
}

/** The sessions of a user, and the freezing of an account. */
const sessionRoutes = (app: FastifyInstance, context: Context): void => {
  route(app, context, listSessions, ({ session }) => list(context.db, session))

  const ending = limits(context, { perMinute: 20, per: 'user' })
  route(
    app,
    context,
    endSession,
    async ({ params, by }) => {
      await endOwnSession(context, by, params.id)
      return null
    },
    ending,
  )

  route(
    app,
    context,
    endOtherSessions,
    async ({ by }) => ({ ended: await endOthers(context, by) }),
    ending,
  )

  route(
    app,
    context,
    freezeAccount,
    async ({ payload: { token }, ip, language }) => {
      await freezeByLink(context, { token, language, from: ip })
      return null
    },
    limits(context, { perMinute: 20, per: 'ip' }),
  )
}
