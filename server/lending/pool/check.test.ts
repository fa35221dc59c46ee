import { beforeAll, describe, expect, test } from 'vitest'
import { testProduct } from '../../testing/product.ts'
import { tamper } from '../../testing/tamper.ts'
import { checkPublished } from './check.ts'
import { countFigures, refreshFigures } from './figures.ts'
import { writeTape } from './tape.ts'

const product = testProduct()
const found = () => checkPublished(product.context)
const asProduct = (text: string) => product.database.pool.query(text)

beforeAll(async () => {
  await countFigures(product.context)
  await writeTape(product.context)
})

test('the files and figures of the product are whole', async () => {
  expect(await found()).toEqual([])
})

describe('SQL is named:', () => {
  test.each([
    ['another digest of a tape', `digest = repeat('a', 64)`, /it has another SHA-256/],
    ['another file of a tape', `file = '\\x00'`, /it is no compressed file/],
    ['a tape of another day', 'day = day - 1', /its signature is wrong/],
    ['a file without a signature', 'key_id = NULL, signature = NULL', undefined],
  ])('%s', async (_, change, sentence) => {
    const keep = 'CREATE TABLE kept AS SELECT * FROM pool_tapes'
    await tamper(product.database, `${keep}; UPDATE pool_tapes SET ${change}`)
    try {
      if (sentence) expect(await found()).toEqual([expect.stringMatching(sentence)])
      // The first ones are older than signatures.
      else expect(await found()).toEqual([])
    } finally {
      await tamper(
        product.database,
        'DELETE FROM pool_tapes; INSERT INTO pool_tapes SELECT * FROM kept; DROP TABLE kept',
      )
    }
  })

  test('public figures that changed', async () => {
    await asProduct(`UPDATE pool_figures SET figures = figures || '{"loans": 99}'`)
    expect(await found()).toEqual([expect.stringContaining('were not counted by this product')])
    await countFigures(product.context)
    expect(await found()).toEqual([])
  })
})

describe('no moment to come', () => {
  test.each([
    `UPDATE pool_figures SET at = now() + interval '10 years'`,
    `INSERT INTO rates (id, coin, dollars, source, at, prices, created_at) VALUES (new_id(), 'BTC', 1, 'MEDIAN', now(), '{}', now() + interval '10 years')`,
    `INSERT INTO pool_tapes (day, loans, size, digest, file) VALUES (current_date + 3, 0, 1, repeat('a', 64), '\\x00')`,
    `UPDATE notice_mailing SET until = now() + interval '10 years'`,
  ])('is written by %s', async (statement) => {
    await expect(product.database.superuser.query(statement)).rejects.toThrow('is in the future')
  })

  test('in copied figures blocks the next count', async () => {
    await tamper(
      product.database,
      `UPDATE pool_figures SET at = now() + interval '10 years', took_ms = 2000000000`,
    )
    expect(await refreshFigures(product.context)).toBe(true)
    await tamper(
      product.database,
      `UPDATE pool_figures SET at = now() - interval '2 hours', took_ms = 2000000000`,
    )
    expect(await refreshFigures(product.context)).toBe(true)
  })
})
