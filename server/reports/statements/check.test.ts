import { cents } from '@pool/contract/base/money'
import { expect, test } from 'vitest'
import { fund, person, testProduct } from '../../testing/product.ts'
import { tamper } from '../../testing/tamper.ts'
import { checkStatements } from './check.ts'

const product = testProduct()

test('a month that opens with another balance is named', async () => {
  const [investor, other] = [await person(product), await person(product)]
  for (const each of [investor, other]) await fund(product, each, cents(10_00n))
  const whole = await checkStatements(product.database.db)
  // Twelve months and their year, of these two, of the staff who confirmed, and of the pool.
  expect(whole).toEqual({ checked: 5 * 13, untrue: [] })
  // The movement is in a month before its deposit, so the month between opens without it.
  await tamper(
    product.database,
    `UPDATE movements SET created_at = date_trunc('month', now() AT TIME ZONE 'UTC') - interval '1 hour'
     WHERE reference_id = (SELECT id FROM transactions WHERE user_id = '${investor.id}')`,
  )
  const { untrue } = await checkStatements(product.database.db)
  const month = new Date().toISOString().slice(0, 7)
  expect(untrue).toContain(
    `statement-${month}-${investor.id}.json opens with 0.00 available instead of 10.00.`,
  )
  expect(untrue.filter((each) => each.includes(other.id))).toEqual([])
})
