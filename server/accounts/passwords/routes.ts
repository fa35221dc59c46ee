import { changePassword, forgotPassword, resetPassword } from '@pool/contract/accounts/users'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../http/context.ts'
import { limits } from '../../http/serving/rateLimits.ts'
import { route } from '../../http/serving/route.ts'
import { admitReset } from './admitReset.ts'
import { askPasswordReset } from './askPasswordReset.ts'
import { attempting } from './attempting.ts'
import { changePassword as change, requireGoodNewPassword } from './changePassword.ts'
import { resetPassword as reset } from './resetPassword.ts'
import { withPlace } from './turns.ts'

/** The calls that replace a password. */
export const passwordRoutes = (app: FastifyInstance, context: Context): void => {
  const { config, db } = context

  route(
    app,
    context,
    changePassword,
    async ({ payload, session: { userId, username }, by, ip, userAgent, language }) => {
      await requireGoodNewPassword(context, { userId, username, ...payload })
      return attempting(context, { username, ip }, async () => ({
        token: await change(context, { userId, ...payload, language, userAgent, by }),
      }))
    },
    limits(context, { perMinute: 20, per: 'user' }),
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
      await withPlace(config.rateLimits ? { ip } : undefined, () =>
        reset(context, { ...payload, language, from: ip }),
      )
      return null
    },
    limits(context, { perMinute: 20, per: 'ip' }),
  )
}
