import { centsFromDollars, dollarsFromCents } from '@pool/contract/base/money'
import { timestampFromDate } from '@pool/contract/base/timestamp'
import {
  checkMaturities,
  invest,
  listAllInvestments,
  listInvestments,
} from '@pool/contract/money/investments'
import { investmentStory } from '@pool/contract/requests/stories'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../http/context.ts'
import { readerOf, requireOwn } from '../../http/serving/access.ts'
import { route } from '../../http/serving/route.ts'
import { openInvestment } from './openInvestment.ts'
import { payMaturities } from './payMaturities.ts'
import * as queries from './queries.ts'
import { readInvestmentStory } from './story.ts'

export const investmentRoutes = (app: FastifyInstance, context: Context): void => {
  const { db } = context

  route(app, context, invest, async ({ payload, session, by, idempotency }) => {
    requireOwn(session, payload.userId)
    const { amount, durationDays, planId } = payload
    const opened = await openInvestment(context, {
      by,
      amount: centsFromDollars(amount),
      durationDays,
      planId,
      idempotency,
    })
    const interest = dollarsFromCents(opened.interest)
    return {
      investmentId: opened.investmentId,
      amount,
      interest,
      returnAmount: interest,
      durationDays,
      status: 'ACTIVE' as const,
      maturityDate: timestampFromDate(opened.maturesAt),
    }
  })

  route(app, context, listAllInvestments, ({ query, lagging }) =>
    queries.listAllInvestments(db, query, lagging),
  )

  route(app, context, listInvestments, ({ params, query, session }) => {
    requireOwn(session, params.userId)
    return queries.listInvestmentsOf(db, session.userId, query)
  })

  route(app, context, investmentStory, ({ params, session }) =>
    readInvestmentStory(db, params.id, readerOf(session)),
  )

  route(app, context, checkMaturities, async () => {
    const { matured, paid } = await payMaturities(context)
    return { matured, paid: dollarsFromCents(paid) }
  })
}
