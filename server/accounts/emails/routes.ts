import { askEmailLink, changeEmail, confirmEmail } from '@pool/contract/accounts/emails'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../http/context.ts'
import { limits } from '../../http/serving/rateLimits.ts'
import { route } from '../../http/serving/route.ts'
import { attempting } from '../passwords/attempting.ts'
import { requirePassword } from '../passwords/requirePassword.ts'
import { admitEmailLink } from './admitEmailLink.ts'
import { askEmailChange } from './askEmailChange.ts'
import { askEmailLink as askLink } from './askEmailLink.ts'
import { confirmEmail as confirm } from './confirmEmail.ts'

/** The calls about the email address of a user. */
export const emailRoutes = (app: FastifyInstance, context: Context): void => {
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
