import { expect, test } from 'vitest'
import { newId } from '../../base/db/ids.ts'
import { testProduct } from '../../testing/product.ts'
import { tamper } from '../../testing/tamper.ts'
import { comparedFindings, recordCompared } from './compared.ts'

const product = testProduct()
const found = () => comparedFindings(product.context.db, 50)

/** A comparison of one coin, as a job writes it. */
const compared = async (): Promise<string> => {
  const id = newId()
  await product.database.superuser.query(
    `INSERT INTO reconciliations (id, break_cents, is_unpriced, is_whole, limit_cents, is_pausing, custody_cents, typed_cents, coins_cents)
     VALUES ('${id}', 0, false, true, 100, false, 500, 0, 500);
     INSERT INTO reconciled_networks VALUES ('${id}', 'Ethereum', 7, '0x7', 2, NULL);
     INSERT INTO reconciled_lines VALUES ('${id}', 'Ethereum', 'ETH', 'deposit', 5, 5, 0, 0)`,
  )
  await recordCompared(product.context, id)
  return id
}

test('a comparison that SQL changed, added or took is named', async () => {
  const id = await compared()
  expect(await found()).toEqual([])
  const changes: readonly [string, string][] = [
    ['reconciliations SET break_cents = 9', 'reconciliations SET break_cents = 0'],
    ['reconciled_lines SET chain = 9', 'reconciled_lines SET chain = 5'],
    ['reconciled_networks SET height = 9', 'reconciled_networks SET height = 7'],
    [
      "reconciliations SET at = at + interval '1 day'",
      "reconciliations SET at = at - interval '1 day'",
    ],
  ]
  for (const [change, back] of changes) {
    await tamper(product.database, `UPDATE ${change}`)
    expect([change, await found()]).toEqual([change, [expect.stringContaining(id)]])
    await tamper(product.database, `UPDATE ${back}`)
  }
  const forged = newId()
  await tamper(
    product.database,
    `INSERT INTO reconciliations SELECT '${forged}', at + interval '2 days', break_cents, is_unpriced, is_whole, limit_cents, is_pausing, custody_cents, typed_cents, coins_cents FROM reconciliations`,
  )
  expect(await found()).toEqual([expect.stringContaining(forged)])
  await tamper(product.database, 'DELETE FROM reconciliations')
  expect(await found()).toEqual([expect.stringContaining('is missing')])
})
