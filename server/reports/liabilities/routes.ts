import { Readable } from 'node:stream'
import { refusal } from '@pool/contract/base/refusals'
import * as contract from '@pool/contract/reports/liabilities'
import type { FastifyInstance } from 'fastify'
import { cachedFor } from '../../base/db/cachedFor.ts'
import type { Context } from '../../http/context.ts'
import { limits } from '../../http/serving/rateLimits.ts'
import { fileRoute, route } from '../../http/serving/route.ts'
import { listFiles, readFile, readProof } from './proof.ts'

/** Two calls for everybody, and one for the caller's own leaf (docs/threats.md T87). */
export const liabilityRoutes = (app: FastifyInstance, context: Context): void => {
  const { db } = context
  route(
    app,
    context,
    contract.listLiabilities,
    cachedFor(contract.listLiabilities.maxAgeSeconds, () => listFiles(db)),
  )
  fileRoute(
    app,
    context,
    contract.readLiabilities,
    async ({ params: { day } }) => {
      const file = await readFile(db, day)
      if (file === undefined) throw refusal('tapeNotFound')
      return { name: contract.liabilitiesName(day), file: Readable.from([file]) }
    },
    limits(context, { perMinute: 60, per: 'ip' }),
  )
  route(
    app,
    context,
    contract.readProof,
    async ({ params: { day }, session: { userId } }) => {
      const proof = await readProof(context, userId, day)
      if (!proof) throw refusal('proofNotFound')
      return proof
    },
    limits(context, { perMinute: 20, per: 'user' }),
  )
}
