import { listLiabilities, readProof as proofCall } from '@pool/contract/reports/liabilities'
import { expect, test } from 'vitest'
import { dayFrom } from '../../testing/loans.ts'
import { person, startProduct, testProduct } from '../../testing/product.ts'
import { checkLiabilities } from './check.ts'
import { makeLiabilities } from './make.ts'

const product = testProduct()
const TODAY = dayFrom(0)

test('a day of junk leaves the list of the others', async () => {
  await makeLiabilities(product.context)
  const put = (file: string) =>
    product.database.pool.query(
      `INSERT INTO liability_trees (day, file, digest, blocks, salted_by, key_id, signature)
       SELECT '2026-01-02', ${file}, digest, blocks, salted_by, key_id, signature FROM liability_trees`,
    )
  // The form is the rule of the database, and that moment is none of a calendar.
  for (const file of [
    "'no JSON'",
    "'{}'",
    'file',
    "regexp_replace(file, '}', ',}')",
    'replace(file, \'"version": 3\', \'"version": 1\')',
    'replace(file, \'"version": 3\', \'"version": 2\')',
  ])
    await expect(put(file)).rejects.toMatchObject({ constraint: 'liability_trees_are_files' })
  await put(
    `regexp_replace(replace(file, '"day": "${TODAY}"', '"day": "2026-01-02"'), '"at": "[^T]*', '"at": "2026-02-31')`,
  )
  const { status, body } = await product.call(listLiabilities)
  expect([status, body.map(({ name }) => name)]).toEqual([200, [`liabilities-${TODAY}.json`]])
  const { fault } = await checkLiabilities(product.context)
  expect(fault).toBe('The tree of 2026-01-02 is not whole: its file has another SHA-256.')
})

test('a proof is asked for twenty times a minute', async () => {
  const limited = await startProduct({ RATE_LIMITS: 'on' })
  try {
    const { token } = await person(limited)
    const ask = async () =>
      (await limited.call(proofCall, { token, params: { day: TODAY } })).status
    const answers: number[] = []
    for (let count = 0; count < 21; count += 1) answers.push(await ask())
    expect(answers).toEqual([...Array.from({ length: 20 }, () => 404), 429])
  } finally {
    await limited.close()
  }
})
