import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import * as contract from '@pool/contract/poolBook'
import { refusal } from '@pool/contract/refusals'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { cachedFor } from '../db/cachedFor.ts'
import { limits } from '../http/rateLimits.ts'
import { fileRoute, route } from '../http/route.ts'
import { readPoolBook } from './figures.ts'
import { readTapeFile, readTapes } from './tape.ts'

/** Calls that everybody makes, so a cache protects the database from their load. */
export const poolRoutes = (app: FastifyInstance, context: Context): void => {
  const { db } = context
  route(
    app,
    context,
    contract.poolBook,
    cachedFor(contract.poolBook.maxAgeSeconds, () => readPoolBook(db)),
  )
  route(
    app,
    context,
    contract.listTapes,
    cachedFor(contract.listTapes.maxAgeSeconds, () => readTapes(db)),
  )
  fileRoute(
    app,
    context,
    contract.readTape,
    async ({ params: { day } }) => {
      const zipped = await readTapeFile(db, day)
      if (!zipped) throw refusal('tapeNotFound')
      return { name: `loans-${day}.csv`, file: Readable.from([zipped]).pipe(createGunzip()) }
    },
    limits(context, { perMinute: 20, per: 'ip' }),
  )
}
