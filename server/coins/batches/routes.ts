import * as contract from '@pool/contract/coins/batches'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../http/context.ts'
import { route } from '../../http/serving/route.ts'
import { approveBatch } from './approveBatch.ts'
import { giveUpBatch } from './giveUpBatch.ts'
import { makeBatch } from './makeBatch.ts'
import * as queries from './queries.ts'
import { compareSigned, sendSigned } from './signedFile.ts'

/** Bytes of a call with a signed file. */
const SIGNED_LIMIT = contract.MOST_SIGNED + 1_024

export const batchRoutes = (app: FastifyInstance, context: Context): void => {
  const { db } = context
  route(app, context, contract.previewBatch, ({ payload, session }) =>
    queries.previewBatch(context, payload, session.userId),
  )
  route(app, context, contract.makeBatch, ({ payload, by }) =>
    makeBatch(context, { asked: payload, by }),
  )
  route(app, context, contract.listBatches, () => queries.listBatches(db))
  route(app, context, contract.batchAddresses, () => queries.listAddresses(db))
  route(app, context, contract.readBatch, ({ params }) => queries.readBatch(db, params.id))
  route(app, context, contract.batchFile, ({ params, by }) =>
    queries.takeFile(context, { ...params, by }),
  )
  route(
    app,
    context,
    contract.compareSigned,
    ({ params, payload }) => compareSigned(context, { ...params, ...payload }),
    { bodyLimit: SIGNED_LIMIT },
  )
  route(
    app,
    context,
    contract.sendSigned,
    ({ params, payload, by }) => sendSigned(context, { ...params, ...payload, by }),
    { bodyLimit: SIGNED_LIMIT },
  )
  route(app, context, contract.approveBatch, async ({ params, payload, by }) => {
    await approveBatch(context, { ...params, ...payload, by })
    return null
  })
  route(app, context, contract.giveUpBatch, async ({ params, payload, by }) => {
    await giveUpBatch(context, { ...params, ...payload, by })
    return null
  })
}
