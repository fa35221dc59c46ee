import { dollarsFromCents } from '@pool/contract/base/money'
import { approvalLimits } from '@pool/contract/money/limits'
import * as contract from '@pool/contract/money/pauses'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../http/context.ts'
import { route } from '../../http/serving/route.ts'
import { countStaff, readLimitUse } from './limits.ts'
import { listPauses, pause, resume } from './pauses.ts'

export const pauseRoutes = (app: FastifyInstance, context: Context): void => {
  const { db } = context

  route(app, context, contract.listPauses, () => listPauses(db))

  route(app, context, contract.pause, async ({ params: { name }, payload: { reason }, by }) => {
    await pause(context, { name, reason, by })
    return listPauses(db)
  })

  route(app, context, contract.resume, async ({ params: { name }, by }) => {
    await resume(context, { name, by })
    return listPauses(db)
  })
}

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
