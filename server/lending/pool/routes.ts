import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { refusal } from '@pool/contract/base/refusals'
import * as contract from '@pool/contract/lending/poolBook'
import { readStress, type StressBody } from '@pool/contract/lending/stress'
import type { FastifyInstance } from 'fastify'
import { cachedFor } from '../../base/db/cachedFor.ts'
import type { Context, WithDb, WithPlans } from '../../http/context.ts'
import { limits } from '../../http/serving/rateLimits.ts'
import { fileRoute, route } from '../../http/serving/route.ts'
import { stressOf } from '../loans/stress.ts'
import { readPoolBook } from './figures.ts'
import { dollars } from './shares.ts'
import { readTapeFile, readTapes, tapeName } from './tape.ts'

/** The stress of the plans that count now, on the wire. */
const stressed = async (
  { db, plans }: WithDb & WithPlans,
  percent: number,
): Promise<StressBody> => {
  const { open, days, ...found } = await stressOf(db, { percent, plans: await plans.inForce() })
  return {
    percent,
    outstanding: dollars(found.outstanding),
    loss: dollars(found.loss),
    lent: dollars(found.lent),
    covered: dollars(found.covered),
    lost: dollars(found.lost),
    share: Number(found.share),
    lostFrom: found.lostFrom,
    reserve: dollars(found.reserve),
    committed: dollars(found.committed),
    capital: dollars(found.capital),
    plans: open.map(({ plan: { durationDays, rateBasisPoints }, principal }) => ({
      durationDays,
      rateBasisPoints,
      principal: dollars(principal),
    })),
    days: days.map(({ day, coins, received, owed }) => ({
      day,
      coins: dollars(coins),
      received: dollars(received),
      owed: dollars(owed),
      left: dollars(coins + received - owed),
    })),
  }
}

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
  route(app, context, readStress, ({ query: { percent } }) => stressed(context, percent))
  fileRoute(
    app,
    context,
    contract.readTape,
    async ({ params: { day } }) => {
      const zipped = await readTapeFile(db, day)
      if (!zipped) throw refusal('tapeNotFound')
      return { name: tapeName(day), file: Readable.from([zipped]).pipe(createGunzip()) }
    },
    limits(context, { perMinute: 20, per: 'ip' }),
  )
}
