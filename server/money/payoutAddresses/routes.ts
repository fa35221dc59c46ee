import { payoutAddress, savePayoutAddress } from '@pool/contract/money/payoutAddresses'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../http/context.ts'
import { route } from '../../http/serving/route.ts'
import { findPayoutAddress, savePayoutAddress as save } from './payoutAddress.ts'

export const payoutAddressRoutes = (app: FastifyInstance, context: Context): void => {
  route(app, context, payoutAddress, ({ session }) => findPayoutAddress(context.db, session.userId))

  route(app, context, savePayoutAddress, ({ payload, session, by }) =>
    save(context, { userId: session.userId, ...payload, by }),
  )
}
