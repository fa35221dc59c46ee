import { rateFrom } from '@pool/contract/chain/rates'
import { expect, test } from 'vitest'
import { person, testProduct } from '../../testing/product.ts'
import { insertSetRate } from './rates.ts'
import { ratesAt } from './ratesAt.ts'

const product = testProduct()

test('a moment of the past has the rate of then', async () => {
  const { db, keys, config } = product.context
  const { id: setBy } = await person(product, ['ADMIN'])
  const by = { id: setBy, name: 'tests', from: 'tests' }
  for (const dollars of ['50000', '60000'])
    await insertSetRate(db, keys, { coin: 'BTC', dollars, setBy, by })
  await product.database.superuser.query(`
    ALTER TABLE rates DISABLE TRIGGER USER;
    UPDATE rates SET created_at = now() - interval '1 hour', at = now() - interval '1 hour' WHERE dollars = 50000;
    ALTER TABLE rates ENABLE TRIGGER USER`)
  const now = Date.now() / 1_000
  const found = await ratesAt(
    db,
    config,
    [now - 1_800, now - 7_200, null, now + 7_200].map((seconds) => ({ coin: 'BTC', seconds })),
  )
  expect(found.map(({ rate }) => rate?.rate ?? null)).toEqual(
    ['50000', null, '60000', '60000'].map((dollars) => dollars && rateFrom(dollars)),
  )
  // No later than now by the database's clock.
  expect(found[3]?.moment).toEqual(found[2]?.moment)
})

test('a set rate counts for its hours before the moment', async () => {
  const { db, keys, config } = product.context
  const { id: setBy } = await person(product, ['ADMIN'])
  const by = { id: setBy, name: 'tests', from: 'tests' }
  const hoursAgo = (hours: number) => Date.now() / 1_000 - hours * 3_600
  await insertSetRate(db, keys, { coin: 'ETH', dollars: '3000', setBy, by })
  await product.database.superuser.query(`
    ALTER TABLE rates DISABLE TRIGGER USER;
    UPDATE rates SET created_at = now() - interval '9 hours', at = now() - interval '9 hours' WHERE coin = 'ETH';
    ALTER TABLE rates ENABLE TRIGGER USER`)
  const found = await ratesAt(db, config, [
    { coin: 'ETH', seconds: hoursAgo(6) },
    { coin: 'ETH', seconds: hoursAgo(4) },
    { coin: 'USDC', seconds: null },
    { coin: 'OTHER', seconds: null },
  ])
  expect(found.map(({ rate }) => rate?.rate ?? null)).toEqual([
    rateFrom('3000'),
    null,
    rateFrom('1'),
    null,
  ])
})
