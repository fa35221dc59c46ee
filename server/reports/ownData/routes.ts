import { refusal } from '@pool/contract/base/refusals'
import { closeAccount, exportOwnData } from '@pool/contract/reports/ownData'
import type { FastifyInstance } from 'fastify'
import { attempting } from '../../accounts/passwords/attempting.ts'
import type { Context } from '../../http/context.ts'
import { isStaff } from '../../http/serving/access.ts'
import { limits } from '../../http/serving/rateLimits.ts'
import { downloadRoute, route } from '../../http/serving/route.ts'
import { record } from '../../records/audit/record.ts'
import { admitExport } from './admitExport.ts'
import { writeArchive } from './archive.ts'
import { closeAccount as close } from './closeAccount.ts'

/** The calls about the data that is kept about the caller. */
export const ownDataRoutes = (app: FastifyInstance, context: Context): void => {
  const { config, db, keys } = context
  downloadRoute(
    app,
    context,
    exportOwnData,
    async ({ session: { userId }, by }) => {
      if (config.rateLimits) await admitExport(db, userId)
      await record(db, keys, {
        by,
        action: 'data.exported',
        subject: { type: 'user', id: userId },
        ownerId: userId,
      })
      return {
        name: `own-data-${new Date().toISOString().slice(0, 10)}.zip`,
        produce: (hand) => writeArchive(context, userId, hand),
      }
    },
    limits(context, { perMinute: 20, per: 'user' }),
  )

  route(
    app,
    context,
    closeAccount,
    async ({ payload: { password }, session, by, ip, language }) => {
      if (isStaff(session)) throw refusal('staffCannotClose')
      await attempting(context, { username: session.username, ip }, () =>
        close(context, { password, language, by }),
      )
      return null
    },
    limits(context, { perMinute: 20, per: 'user' }),
  )
}
