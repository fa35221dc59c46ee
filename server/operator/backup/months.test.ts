import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { cents } from '@pool/contract/base/money'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { archiveMonth, type MonthContent } from '../../ledger/archive/archiveMonth.ts'
import { checkLedger, findingOf } from '../../ledger/check/check.ts'
import { checkArchive } from '../../ledger/check/checkArchive.ts'
import { openLedger } from '../../ledger/engine/ledger.ts'
import { openInvestment } from '../../money/investments/openInvestment.ts'
import { payMaturities } from '../../money/investments/payMaturities.ts'
import { readInvestmentStory } from '../../money/investments/story.ts'
import { contributeCapital } from '../../money/reserve/contributeCapital.ts'
import { requestWithdrawal } from '../../requests/transactions/requestWithdrawal.ts'
import { testDatabase } from '../../testing/database.ts'
import { age, beginWith } from '../../testing/months.ts'
import { payOut } from '../../testing/payouts.ts'
import {
  actAs,
  fund,
  newKeys,
  type Person,
  type Product,
  person,
  startProduct,
} from '../../testing/product.ts'
import { keepRows } from '../../testing/rewind.ts'
import { tamper } from '../../testing/tamper.ts'
import { readMonth, writeMonth } from './months.ts'

let directory: string
let product: Product
let investor: Person
/** The months of a test. Ids of one process only grow, so each test takes later ones. */
let months: string[]
let used = 0

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'months-'))
  const database = await testDatabase()
  months = [0, 1, 2].map((n) => new Date(Date.UTC(2022, used + n, 15)).toISOString().slice(0, 7))
  used += 3
  vi.useFakeTimers({ toFake: ['Date'] })
  enter(0)
  await beginWith(database, months[0] ?? '')
  product = await startProduct({ DAY_SECONDS: '1' }, { database })
  investor = await person(product)
  await fund(product, investor, cents(500_00n))
  await live()
  enter(1)
  await live()
  await age(database, 100)
  enter(2)
  await live()
})
afterEach(async () => {
  vi.useRealTimers()
  await product.close()
  rmSync(directory, { recursive: true })
})

/** Lets new ids be of the middle of a month of the test. */
const enter = (month: number) => vi.setSystemTime(Date.parse(`${months[month]}-15T00:00:00Z`))

const by = () => ({ id: investor.id, from: 'tests' })
/** A withdrawal that is paid, and an investment that matures at once. */
const live = async () => {
  const context = { ...product.context, config: { ...product.context.config, daySeconds: 0 } }
  const { transactionId } = await requestWithdrawal(context, { by: by(), amount: cents(10_00n) })
  const admin = await person(product, ['ADMIN'])
  await payOut(context, { transactionId, userId: investor.id, by: actAs(admin) })
  const { investmentId } = await openInvestment(context, {
    by: by(),
    amount: cents(50_00n),
    durationDays: 1,
  })
  await payMaturities(context)
  return { transactionId, investmentId }
}

const archive = (
  month: string | undefined,
  write?: (content: MonthContent) => ReturnType<typeof writeMonth>,
) => {
  const { keys } = product.context
  return archiveMonth(product.database.owner, {
    keys,
    month: month ?? '',
    write: write ?? ((content) => writeMonth(directory, keys, content)),
  })
}
const finding = async (keys = product.context.keys) =>
  findingOf(await checkLedger(product.context.db, keys))
const throughArchive = () =>
  checkArchive(product.database.owner, (month) => readMonth(directory, product.context.keys, month))
const ask = async (question: string) => (await product.database.superuser.query(question)).rows
const balances = () => ask('SELECT id, balance FROM accounts ORDER BY id')
const count = async () =>
  Number((await ask('SELECT count(*)::int AS movements FROM movements'))[0]?.movements)

test('archived months leave a whole ledger with the same balances', async () => {
  const [before, all] = [await balances(), await count()]
  const first = await archive(months[0])
  const second = await archive(months[1])
  expect(await count()).toBe(all - first.movements - second.movements)
  expect([first.movements, second.movements]).toEqual([7, 5])
  expect(await balances()).toEqual(before)
  expect(await finding()).toBeUndefined()
  expect(await throughArchive()).toBeUndefined()
  await live()
  expect(await finding()).toBeUndefined()
  expect(findingOf(await checkLedger(product.context.db))).toMatch(/needs a key/)
  expect(await finding(newKeys())).toMatch(/is not what was signed, or its key/)
})

test('stories say that their transfers are archived', async () => {
  const { id: old } =
    (await ask("SELECT id FROM transactions WHERE type = 'investment' ORDER BY id LIMIT 1"))[0] ??
    {}
  const { id: young } =
    (
      await ask("SELECT id FROM transactions WHERE type = 'investment' ORDER BY id DESC LIMIT 1")
    )[0] ?? {}
  const read = (id: string) =>
    readInvestmentStory(product.context.db, id, { userId: investor.id, isStaff: false })
  const before = await read(old)
  expect(before).toMatchObject({ transfersArchived: false, transfers: [{}, {}, {}, {}] })
  await archive(months[0])
  expect(await read(old)).toEqual({ ...before, transfersArchived: true, transfers: [] })
  expect(await read(young)).toMatchObject({ transfersArchived: false, transfers: [{}, {}, {}, {}] })
})

test('only the oldest, past and decided month is archived', async () => {
  await expect(archive(months[1])).rejects.toThrow(`The oldest one is ${months[0]}.`)
  await age(product.database, 89)
  await expect(archive(months[0])).rejects.toThrow('moved in the last 90 days')
  await age(product.database, 91)

  enter(2)
  const { transactionId } = await requestWithdrawal(product.context, {
    by: by(),
    amount: cents(1_00n),
  })
  const first = async (type: string): Promise<string> =>
    (await ask(`SELECT id FROM transactions WHERE type = '${type}' ORDER BY id LIMIT 1`))[0]?.id
  const paid = await first('withdrawal')
  for (const status of ['APPROVED', 'PROCESSING']) {
    await tamper(
      product.database,
      `UPDATE transactions SET status = '${status}' WHERE id = '${paid}'`,
    )
    await expect(archive(months[0])).rejects.toThrow(`The withdrawal ${paid} is open`)
  }
  await tamper(
    product.database,
    `UPDATE transactions SET status = 'COMPLETED' WHERE id = '${paid}'`,
  )
  const id = await first('investment')
  await tamper(
    product.database,
    `UPDATE transactions SET investment_status = 'ACTIVE' WHERE id = '${id}'`,
  )
  await expect(archive(months[0])).rejects.toThrow(`The investment ${id} is open`)
  await tamper(
    product.database,
    `UPDATE transactions SET investment_status = 'COMPLETED' WHERE id = '${id}'`,
  )

  await archive(months[0])
  await expect(archive(months[0])).rejects.toThrow('is archived already')
  await archive(months[1])
  await age(product.database, 91)
  await expect(archive(months[2])).rejects.toThrow(`The withdrawal ${transactionId} is open`)
  expect(await finding()).toBeUndefined()
})

/** Changes that a thief of the database could make, with the sentence of the check. */
const tamperings: readonly [string, () => string, string | RegExp][] = [
  [
    'a closing balance and its account',
    () => `UPDATE closing_balances SET amount = amount + 1 WHERE account_id = (SELECT id FROM accounts WHERE owner_id = '${investor.id}' AND kind = 'available');
      UPDATE accounts SET balance = balance + 1 WHERE owner_id = '${investor.id}' AND kind = 'available'`,
    'The closing balances are not those that the newest archived month signed.',
  ],
  [
    'all closing balances',
    () => 'DELETE FROM closing_balances',
    'The closing balances are not those that the newest archived month signed.',
  ],
  [
    'the first archived month',
    () => `DELETE FROM archived_months WHERE month = '${months[0]}'`,
    /^The archived month before .* is missing from archived_months\.$/,
  ],
  [
    'the newest archived month',
    () => `DELETE FROM archived_months WHERE month = '${months[1]}'`,
    'The newest archived month is missing from archived_months, or movements lost a partition.',
  ],
  [
    'the number of archived movements',
    () => 'UPDATE archived_months SET movements = movements - 1',
    /^The archived month .* is not what was signed\.$/,
  ],
  [
    'the moment up to which months are archived',
    () =>
      `UPDATE archived_months SET until_id = first_id('2024-12-01') WHERE month = '${months[1]}'`,
    /^The archived month .* is not what was signed\.$/,
  ],
]

test('a check names each change of what was archived', async () => {
  await archive(months[0])
  await archive(months[1])
  const rewind = await keepRows(product.database.superuser)
  for (const [what, change, sentence] of tamperings) {
    await tamper(product.database, change())
    expect(await finding(), what).toMatch(sentence)
    await rewind()
    expect(await finding(), what).toBeUndefined()
  }
})

test('a dropped partition without an archive is named', async () => {
  await product.database.owner.query('DROP TABLE movements_begin')
  expect(await finding()).toMatch(/or movements lost a partition/)
})

test('the check through the archive names a changed file', async () => {
  await archive(months[0])
  const file = join(directory, months[0] ?? '', 'movements.jsonl.gz')
  const lines = gunzipSync(readFileSync(file)).toString()
  writeFileSync(file, gzipSync(lines.replace('"amount":1000,', '"amount":1001,')))
  await expect(throughArchive()).rejects.toThrow('is not the archive that the database signed')
  // The content is recomputed too, not only its digest.
  const rows = (text: string) =>
    checkArchive(product.database.owner, async function* () {
      yield text.trimEnd().split('\n')
    })
  expect(await rows(lines)).toBeUndefined()
  expect(await rows(lines.replace('"amount":1000,', '"amount":1001,'))).toMatch(
    /^In the archive of .* does not match its transfers/,
  )
  const capital = lines.split('\n').filter((line) => !line.includes('capital_contributed'))
  expect(await rows(capital.join('\n'))).toMatch(/does not match its transfers: nothing/)
  rmSync(join(directory, months[0] ?? ''), { recursive: true })
  await expect(throughArchive()).rejects.toThrow('is not a backup')
})

test('a failure between file and commit changes nothing', async () => {
  const all = await count()
  const { keys } = product.context
  await expect(
    archive(months[0], async (content) => {
      await writeMonth(directory, keys, content)
      throw new Error('the power went')
    }),
  ).rejects.toThrow('the power went')
  expect([
    await count(),
    await ask('SELECT FROM archived_months'),
    await ask('SELECT FROM closing_balances'),
  ]).toEqual([all, [], []])
  expect(await finding()).toBeUndefined()
  // Another pool's file of this name stays.
  await expect(
    archive(months[0], (content) => writeMonth(directory, newKeys(), content)),
  ).rejects.toThrow('was not signed with a key of this product')
  await archive(months[0])
  expect([await finding(), await throughArchive()]).toEqual([undefined, undefined])
})

test('of two archivers at once one archives', async () => {
  await archive(months[0], async (content) => {
    await expect(archive(months[0])).rejects.toThrow('Another archive is being made')
    return writeMonth(directory, product.context.keys, content)
  })
  expect(await ask('SELECT month FROM archived_months')).toEqual([{ month: months[0] }])
  expect([await finding(), await throughArchive()]).toEqual([undefined, undefined])
})

test('groups post while a month is being archived', async () => {
  const { context, database } = product
  const ledgers = [context.ledger, openLedger(database.pool)]
  let [posted, archived] = [0, false]
  const load = ledgers.map(async (ledger) => {
    while (!archived) {
      await contributeCapital(
        { ...context, ledger },
        { amount: cents(1n), note: 'x', contributedBy: 'tests' },
      )
      posted += 1
    }
  })
  await archive(months[0], async (content) => {
    const before = posted
    // The rows are held by now, and others still post.
    await vi.waitFor(() => expect(posted).toBeGreaterThan(before + 20), { timeout: 10_000 })
    return writeMonth(directory, context.keys, content)
  })
  await archive(months[1])
  archived = true
  await Promise.all(load)
  expect([await finding(), await throughArchive()]).toEqual([undefined, undefined])
})

test('a movement of an archived cause is refused', async () => {
  const [{ id } = { id: '' }] = await ask(
    'SELECT reference_id AS id FROM movements ORDER BY reference_id LIMIT 1',
  )
  const again = `INSERT INTO movements (reference_id, name, from_account_id, to_account_id, amount) VALUES ('${id}', 'capital_contributed', 2, 3, 1)`
  await expect(product.database.pool.query(again)).rejects.toMatchObject({ code: '23505' })
  await archive(months[0])
  await expect(product.database.pool.query(again)).rejects.toMatchObject({ code: '23514' })
})
