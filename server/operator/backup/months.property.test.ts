import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cents } from '@pool/contract/base/money'
import { Refusal } from '@pool/contract/base/refusals'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { archiveMonth } from '../../ledger/archive/archiveMonth.ts'
import { checkLedger, findingOf } from '../../ledger/check/check.ts'
import { checkArchive } from '../../ledger/check/checkArchive.ts'
import { openInvestment } from '../../money/investments/openInvestment.ts'
import { payMaturities } from '../../money/investments/payMaturities.ts'
import { rejectWithdrawal } from '../../requests/transactions/rejectWithdrawal.ts'
import { requestWithdrawal } from '../../requests/transactions/requestWithdrawal.ts'
import { testDatabase } from '../../testing/database.ts'
import { age, beginWith } from '../../testing/months.ts'
import { payOut } from '../../testing/payouts.ts'
import {
  actAs,
  fund,
  type Person,
  type Product,
  person,
  startProduct,
} from '../../testing/product.ts'
import { tamper } from '../../testing/tamper.ts'
import { readMonth, writeMonth } from './months.ts'

const RUNS = 8
const FIRST = 2023

let directory: string
let product: Product
let people: Person[]
let admin: Person

const nameOf = (month: number): string =>
  new Date(Date.UTC(FIRST, month, 15)).toISOString().slice(0, 7)
const enter = (month: number) => vi.setSystemTime(Date.UTC(FIRST, month, 15))

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'months-'))
  vi.useFakeTimers({ toFake: ['Date'] })
  enter(0)
  const database = await testDatabase()
  await beginWith(database, nameOf(0))
  product = await startProduct({}, { database })
  admin = await person(product, ['ADMIN'])
  people = await Promise.all([person(product), person(product)])
  for (const someone of people) await fund(product, someone, cents(900_00n))
})
afterAll(async () => {
  vi.useRealTimers()
  await product.close()
  rmSync(directory, { recursive: true })
})

const act = fc.record({
  verb: fc.constantFrom('pay' as const, 'release' as const, 'invest' as const),
  investor: fc.nat({ max: 1 }),
  amount: fc.bigInt({ min: 100n, max: 300_00n }).map(cents),
})
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never

/** Does and decides what an investor asks for. A refusal is fine. */
const carryOut = async ({ verb, investor, amount }: Act): Promise<void> => {
  const { id } = people[investor] as Person
  const by = { id, from: 'tests' }
  const context = { ...product.context, config: { ...product.context.config, daySeconds: 0 } }
  try {
    if (verb === 'invest') {
      await openInvestment(context, { by, amount, durationDays: 1 })
      await payMaturities(context)
      return
    }
    const { transactionId } = await requestWithdrawal(context, { by, amount })
    const decision = { transactionId, by: actAs(admin) }
    await (verb === 'pay'
      ? payOut(context, { ...decision, userId: id })
      : rejectWithdrawal(context, { ...decision, reason: 'no' }))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}

const checked = () => checkLedger(product.context.db, product.context.keys)
const balances = async () =>
  (await product.database.superuser.query('SELECT id, balance FROM accounts ORDER BY id')).rows

/** The finding about an account whose balance is wrong by some cents. */
const findingOfWrong = async (account: string, by: bigint) => {
  const add = (cents: bigint) =>
    tamper(product.database, `UPDATE accounts SET balance = balance + ${cents} WHERE ${account}`)
  await add(by)
  const finding = findingOf(await checked())
  await add(-by)
  return finding
}

test('checks before and after an archive agree', async () => {
  let month = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(act, { minLength: 1, maxLength: 8 }),
      fc.array(act, { maxLength: 4 }),
      fc.bigInt({ min: 1n, max: 1_000_00n }),
      async (older, younger, wrong) => {
        enter(month)
        for (const each of older) await carryOut(each)
        await age(product.database, 100)
        enter(month + 1)
        for (const each of younger) await carryOut(each)

        const account = `owner_id = '${people[0]?.id}' AND kind = 'available'`
        const [held, named] = [await balances(), await findingOfWrong(account, wrong)]
        expect(findingOf(await checked())).toBeUndefined()
        const { owner } = product.database
        const { keys } = product.context
        await archiveMonth(owner, {
          keys,
          month: nameOf(month),
          write: (content) => writeMonth(directory, keys, content),
        })
        expect(findingOf(await checked())).toBeUndefined()
        expect(await balances()).toEqual(held)
        expect(named).toMatch(/^Account \d+ \(available of .+\) has the balance /)
        expect(await findingOfWrong(account, wrong)).toBe(named)
        expect(
          await checkArchive(owner, (archived) => readMonth(directory, keys, archived)),
        ).toBeUndefined()
        month += 1
      },
    ),
    { numRuns: RUNS, endOnFailure: true },
  )
})
