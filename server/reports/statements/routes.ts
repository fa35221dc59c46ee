import { refusal } from '@pool/contract/base/refusals'
import { readPoolStatement } from '@pool/contract/reports/poolStatements'
import { listStatements, previewStatement, readStatement } from '@pool/contract/reports/statements'
import type { FastifyInstance } from 'fastify'
import { type Kysely, sql } from 'kysely'
import { minutesToWait } from '../../accounts/throttle/counts.ts'
import type { Schema } from '../../base/db/schema.ts'
import type { Context } from '../../http/context.ts'
import { isStaff } from '../../http/serving/access.ts'
import { limits } from '../../http/serving/rateLimits.ts'
import { downloadRoute, route } from '../../http/serving/route.ts'
import { firstContribution, requireUnarchived } from '../../ledger/sums/poolTransfers.ts'
import { record } from '../../records/audit/record.ts'
import { periodOf, periodsSince } from './period.ts'
import { poolStatementName, writePoolStatement } from './pool.ts'
import { previewOf, statementName, writeStatement } from './write.ts'

/** Most statements of a user in an hour. Each reads every row about their money. */
const STATEMENTS_PER_HOUR = 60

/** The first row of an investor's money. */
const firstOf = (db: Kysely<Schema>, userId: string) =>
  db
    .selectFrom('transactions')
    .select('created_at')
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .limit(1)
    .execute()

/** The calls about statements of the caller's own money, and of the pool's for staff. */
export const statementRoutes = (app: FastifyInstance, context: Context): void => {
  // Long: one call of the contract after the other, each with its policy, is a table.
  const { config, db, keys } = context
  const now = async (): Promise<Date> => {
    const { rows } = await sql<{ now: Date }>`SELECT now() AS now`.execute(db)
    return rows[0]?.now ?? new Date()
  }

  /** Throws `tooManyStatements` with the minutes to wait. */
  const admit = async (userId: string): Promise<void> => {
    if (!config.rateLimits) return
    const minutes = await minutesToWait(db, {
      counted: ['statement', userId],
      most: STATEMENTS_PER_HOUR,
      span: '1 hour',
    })
    if (minutes > 0) throw refusal('tooManyStatements', { minutes })
  }
  // A HEAD request would make the whole file without a reader.
  const options = { ...limits(context, { perMinute: 20, per: 'user' }), exposeHeadRoute: false }

  route(app, context, listStatements, async ({ session }) => {
    const moment = await now()
    const [first] = isStaff(session)
      ? await firstContribution(db)
      : await firstOf(db, session.userId)
    if (!first) return []
    return periodsSince(first.created_at, moment).map((period) => ({
      period,
      isComplete: periodOf(period, moment).isComplete,
    }))
  })

  route(
    app,
    context,
    previewStatement,
    async ({ session: { userId }, params: { period: name } }) => {
      const period = periodOf(name, await now())
      await admit(userId)
      return previewOf(context, { userId, period })
    },
    options,
  )

  downloadRoute(
    app,
    context,
    readStatement,
    async ({ session: { userId }, params: { period: name, form }, language }) => {
      const period = periodOf(name, await now())
      await admit(userId)
      const asked = { userId, period, form, language }
      return {
        name: `${statementName(asked)}.zip`,
        produce: writeStatement(context, asked),
      }
    },
    options,
  )

  downloadRoute(
    app,
    context,
    readPoolStatement,
    async ({ session: { userId }, by, params: { period, form } }) => {
      const asked = { period: periodOf(period, await now()), form }
      await requireUnarchived(db, asked.period.from)
      await admit(userId)
      const name = poolStatementName(asked)
      await record(db, keys, {
        by,
        action: 'statement.taken',
        subject: { type: 'statement', id: name },
      })
      return {
        name: `${name}.zip`,
        produce: writePoolStatement(context, asked),
      }
    },
    options,
  )
}
