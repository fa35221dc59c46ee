import { refusal } from '@pool/contract/refusals'
import { listStatements, readStatement } from '@pool/contract/statements'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { limits } from '../http/rateLimits.ts'
import { downloadRoute, route } from '../http/route.ts'
import { minutesToWait } from '../throttle/counts.ts'
import { periodOf, periodsSince } from './period.ts'
import { statementName, writeStatement } from './write.ts'

/** Most statements of a user in an hour. Each reads every row about their money. */
const STATEMENTS_PER_HOUR = 60

/** The calls about statements of the caller's own money. */
export const statementRoutes = (app: FastifyInstance, context: Context): void => {
  const { config, db } = context
  const now = async (): Promise<Date> => {
    const { rows } = await sql<{ now: Date }>`SELECT now() AS now`.execute(db)
    return rows[0]?.now ?? new Date()
  }

  route(app, context, listStatements, async ({ session: { userId } }) => {
    const moment = await now()
    const first = await db
      .selectFrom('transactions')
      .select('created_at')
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .limit(1)
      .executeTakeFirst()
    if (!first) return []
    return periodsSince(first.created_at, moment).map((period) => ({
      period,
      isComplete: periodOf(period, moment).isComplete,
    }))
  })

  downloadRoute(
    app,
    context,
    readStatement,
    async ({ session: { userId }, params: { period: name, form } }) => {
      const period = periodOf(name, await now())
      if (config.rateLimits) {
        const minutes = await minutesToWait(db, {
          counted: ['statement', userId],
          most: STATEMENTS_PER_HOUR,
          span: '1 hour',
        })
        if (minutes > 0) throw refusal('tooManyStatements', { minutes })
      }
      const asked = { userId, period, form }
      return {
        name: `${statementName(asked)}.zip`,
        produce: writeStatement(context, asked),
      }
    },
    // A HEAD request would make the whole file without a reader.
    { ...limits(context, { perMinute: 20, per: 'user' }), exposeHeadRoute: false },
  )
}
