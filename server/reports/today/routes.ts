import * as contract from '@pool/contract/reports/today'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../http/context.ts'
import { isAuditor } from '../../http/serving/access.ts'
import { route } from '../../http/serving/route.ts'
import { chooseMorningMail, wantsMorningMail } from './morningMail.ts'
import { readCounts, readToday } from './queries.ts'

export const todayRoutes = (app: FastifyInstance, context: Context): void => {
  const { db } = context

  route(app, context, contract.readCounts, ({ session }) =>
    readCounts(context, isAuditor(session) || session.roles.includes('SUPER_ADMIN')),
  )

  route(app, context, contract.readToday, () => readToday(context, new Date()))

  route(app, context, contract.readMorningMail, async ({ session: { userId } }) => ({
    wanted: await wantsMorningMail(db, userId),
  }))

  route(
    app,
    context,
    contract.saveMorningMail,
    async ({ session: { userId }, payload: { wanted } }) => {
      await chooseMorningMail(db, { userId, wanted })
      return { wanted }
    },
  )
}
