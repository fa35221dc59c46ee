import * as readingKeys from '@pool/contract/accounts/readingKeys'
import { endOtherSessions, endSession, listSessions } from '@pool/contract/accounts/sessions'
import { login, logout, passkeySignIn } from '@pool/contract/accounts/users'
import type { FastifyInstance } from 'fastify'
import { listSessions as list } from '../../base/sessions/ownSessions.ts'
import type { Context } from '../../http/context.ts'
import { limits } from '../../http/serving/rateLimits.ts'
import { route } from '../../http/serving/route.ts'
import { attempting } from '../passwords/attempting.ts'
import { endOtherSessions as endOthers, endOwnSession } from './endSessions.ts'
import { logIn, provePassword, type SignedIn } from './logIn.ts'
import { logOut } from './logOut.ts'
import { proveAtSignIn } from './proveAtSignIn.ts'
import { endReadingKey, listReadingKeys, makeReadingKey } from './readingKeys.ts'
import { signInByPasskey } from './signInByPasskey.ts'

const onTheWire = ({ roles, ...signedIn }: SignedIn) => ({
  ...signedIn,
  roles: roles.map((type) => ({ type })),
})

/** The calls that start and end sessions. */
export const signInRoutes = (app: FastifyInstance, context: Context): void => {
  // Long: one call of the contract after the other, each with its policy, is a table.
  route(
    app,
    context,
    login,
    async ({ payload: { factor, ...payload }, ip, userAgent, language, origin }) => {
      const user = await attempting(context, { username: payload.username, ip }, () =>
        provePassword(context, { ...payload, from: ip }),
      )
      const shownFrom = await proveAtSignIn(context, user, {
        answer: factor,
        from: ip,
        language,
        origin,
      })
      const device = { ip, userAgent }
      return onTheWire(await logIn(context, user, { device, language, shownFrom }))
    },
  )

  route(
    app,
    context,
    passkeySignIn,
    async ({ payload: { response }, origin, ip, userAgent, language }) => {
      const device = { ip, userAgent }
      return onTheWire(await signInByPasskey(context, { response, origin, device, language }))
    },
    limits(context, { perMinute: 30, per: 'ip' }),
  )

  const ending = limits(context, { perMinute: 20, per: 'user' })
  route(
    app,
    context,
    logout,
    async ({ by }) => {
      await logOut(context, by)
      return null
    },
    ending,
  )

  route(app, context, listSessions, ({ session }) => list(context.db, session))

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
    async ({ by, payload }) => ({
      ended: await endOthers(context, by, { keepReadingKeys: payload?.readingKeys === false }),
    }),
    ending,
  )

  route(app, context, readingKeys.listReadingKeys, ({ session }) =>
    listReadingKeys(context.db, session.userId),
  )
  route(
    app,
    context,
    readingKeys.makeReadingKey,
    ({ by, language, payload }) => makeReadingKey(context, { by, language }, payload),
    ending,
  )
  route(
    app,
    context,
    readingKeys.endReadingKey,
    async ({ by, params }) => {
      await endReadingKey(context, by, params.id)
      return null
    },
    ending,
  )
}
