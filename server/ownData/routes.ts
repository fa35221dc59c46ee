import { exportOwnData } from '@pool/contract/ownData'
import type { FastifyInstance } from 'fastify'
import { record } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { admitExport } from '../credentials/throttle.ts'
import { limits } from '../http/rateLimits.ts'
import { downloadRoute } from '../http/route.ts'
import { writeArchive } from './archive.ts'

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
}
