import { dollarsFromCents } from '@pool/contract/base/money'
import { approvalLimits } from '@pool/contract/money/limits'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../http/context.ts'
import { route } from '../../../http/serving/route.ts'
import { countStaff, readLimitUse } from './limits.ts'

export const limitRoutes = (app: FastifyInstance, context: Context): void => {
  const { db } = context

  route(app, context, approvalLimits, async ({ session }) => {
    const { perPerson, perPool, byApprover, byAll } = await readLimitUse(db, session.userId)
    return {
      perPerson: dollarsFromCents(perPerson),
      perPool: dollarsFromCents(perPool),
      decidedByYou: dollarsFromCents(byApprover),
      decidedByAll: dollarsFromCents(byAll),
      staff: await countStaff(db),
    }
  })
}
