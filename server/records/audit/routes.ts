import { Readable } from 'node:stream'
import { listAudit } from '@pool/contract/reports/audit'
import { poolKeys, poolKeysSchema } from '@pool/contract/reports/poolKeys'
import type { FastifyInstance } from 'fastify'
import { cachedFor } from '../../base/db/cachedFor.ts'
import type { Context } from '../../http/context.ts'
import { fileRoute, route } from '../../http/serving/route.ts'
import { readPoolKeys } from './publish.ts'
import * as queries from './queries.ts'

export const auditRoutes = (app: FastifyInstance, context: Context): void => {
  route(app, context, listAudit, ({ query, session, lagging }) =>
    queries.listAudit(context.db, {
      reader: queries.readerOfTrail(session),
      request: query,
      lagging,
    }),
  )
}

/** The public keys. Everybody asks, so a cache protects the database. */
export const signingRoutes = (app: FastifyInstance, context: Context): void => {
  const read = cachedFor(poolKeys.maxAgeSeconds, async () =>
    JSON.stringify(poolKeysSchema.parse(await readPoolKeys(context)), null, 2),
  )
  fileRoute(app, context, poolKeys, async () => ({
    name: 'pool-keys.json',
    file: Readable.from([`${await read()}\n`]),
  }))
}
