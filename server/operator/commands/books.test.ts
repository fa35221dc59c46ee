import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { poolStatementSchema } from '@pool/contract/reports/poolStatements'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { filesIn } from '../../testing/archives.ts'
import { dayFrom } from '../../testing/loans.ts'
import { connectTo, dataDirectory } from '../../testing/process.ts'

let directory: ReturnType<typeof dataDirectory>
const MONTH = dayFrom(0).slice(0, 7)
const FINISHED = dayFrom(-40).slice(0, 7)

beforeAll(async () => {
  directory = dataDirectory(inject('preparedData'))
  await (await directory.start()).end('SIGTERM')
})
afterAll(() => directory.remove())

test('the operator writes the books in a form', async () => {
  const place = join(directory.directory, 'books')
  for (const form of ['json', 'hledger']) {
    const { code, text } = await directory.command('books', MONTH, place, '--form', form)
    expect([code, text]).toEqual([0, expect.stringContaining('the books, and their signature')])
  }
  const files = readdirSync(place).flatMap((name) =>
    Object.entries(filesIn(readFileSync(join(place, name)))),
  )
  const textOf = (form: RegExp) => String(files.find(([name]) => form.test(name))?.[1])
  const { lines } = poolStatementSchema.parse(JSON.parse(textOf(/^pool-statement-.*\.json$/)))
  expect(lines.map(({ movement, amount }) => [movement, amount])).toEqual([
    ['capital_contributed', '100000.00'],
  ])
  expect(textOf(/\.hledger$/)).toContain(`(${MONTH}/1) capital_contributed`)
  expect(files.filter(([name]) => name === 'signature.json')).toHaveLength(2)
  for (const words of [[MONTH, place], [MONTH], [MONTH, place, '--form', 'pdf'], ['11', place]])
    expect((await directory.command('books', ...words)).code).toBe(2)
})

test('a file of the books that exists stays', async () => {
  const place = join(directory.directory, 'finished')
  const write = () => directory.command('books', FINISHED, place, '--form', 'json')
  expect((await write()).code).toBe(0)
  const [name = ''] = readdirSync(place)
  const before = readFileSync(join(place, name))
  expect((await write()).code).toBe(1)
  expect(readFileSync(join(place, name))).toEqual(before)
})

test('the operator prints leaves of a day', async () => {
  const day = dayFrom(0)
  const { code, text } = await directory.command('liabilities', 'make')
  expect([code, text]).toEqual([0, expect.stringMatching(/published|Nothing to do/)])
  const printed = await directory.command('liabilities', 'leaves', day)
  expect(printed.code).toBe(0)
  expect(printed.text.match(/^\d+,,,,,,,,,[0-9a-f]{64}\r$/gm)).toHaveLength(1_024)
  expect((await directory.command('liabilities', 'leaves', '2020-01-01')).code).toBe(1)
  expect((await directory.command('liabilities', 'leaves', 'today')).code).toBe(2)
})

test('the audit trail has who took what', async () => {
  const product = await directory.start()
  const { pool, close } = connectTo(directory)
  const { rows } = await pool.query(
    "SELECT subject_id, actor FROM audit_entries WHERE action = 'statement.taken' ORDER BY id",
  )
  await close()
  await product.end('SIGTERM')
  const files = rows.map(({ subject_id }) => subject_id)
  // A day without leaves was refused before.
  expect(files).toEqual([
    expect.stringMatching(/^pool-statement-.*\.json$/),
    expect.stringMatching(/^pool-statement-.*\.hledger$/),
    // Taken once: the second try found the file.
    `pool-statement-${FINISHED}.json`,
    `liabilities-leaves-${dayFrom(0)}.csv`,
  ])
  expect(rows[0].actor).toMatch(/^operator /)
})
