import { cents } from '@pool/contract/base/money'
import { expect, test } from 'vitest'
import { fund, person, testProduct } from '../../testing/product.ts'
import { countFigures, readPoolBook, refreshFigures } from './figures.ts'
import { rounded } from './rounded.ts'

const product = testProduct()

test('figures of live mode tell no deposit', async () => {
  const context = {
    ...product.context,
    config: { ...product.context.config, poolMode: 'live' as const },
  }
  const set = (at: string) =>
    product.database.superuser.query(`UPDATE pool_figures SET took_ms = 0, at = ${at}`)
  const investor = await person(product)
  await fund(product, investor, cents(5_000_00n))
  await countFigures(context)
  const before = await readPoolBook(context.db)
  await set("date_trunc('hour', now())")
  await fund(product, investor, cents(1_234_56n))
  // The next fixed moment is the hour.
  expect(await refreshFigures(context)).toBe(false)
  await set("date_trunc('hour', now()) - interval '1 second'")
  expect(await refreshFigures(context)).toBe(true)
  const after = await readPoolBook(context.db)
  const told = (['coins', 'owed'] as const).map(
    (name) => (after?.liquidity[name] ?? 0) - (before?.liquidity[name] ?? 0),
  )
  expect(told).toEqual([1_200, 1_200])
})

test.each([
  ['1234.56789', '1230'],
  ['0.00123456', '0.00123'],
  ['12', '12'],
  ['1.20005', '1.2'],
  ['98765', '98700'],
])('%s coins are told as %s', async (units, told) => {
  const figures = await (async () => {
    await countFigures(product.context)
    return readPoolBook(product.context.db)
  })()
  if (!figures) throw new Error('figures were counted')
  const networks = [{ network: 'Bitcoin', asset: 'BTC', units }]
  const shown = rounded({ ...figures, liquidity: { ...figures.liquidity, networks } })
  expect(shown.liquidity.networks.map((each) => each.units)).toEqual([told])
})
