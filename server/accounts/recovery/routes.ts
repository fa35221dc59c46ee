import { freezeAccount } from '@pool/contract/accounts/sessions'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../http/context.ts'
import { limits } from '../../http/serving/rateLimits.ts'
import { route } from '../../http/serving/route.ts'
import { freezeByLink } from './freeze.ts'

export const freezeRoutes = (app: FastifyInstance, context: Context): void => {
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
