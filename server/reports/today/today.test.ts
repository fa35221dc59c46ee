import { cents } from '@pool/contract/base/money'
import {
  readCounts,
  readMorningMail,
  readToday,
  saveMorningMail,
} from '@pool/contract/reports/today'
import { beforeAll, expect, test } from 'vitest'
import { openInvestment } from '../../money/investments/openInvestment.ts'
import { payMaturities } from '../../money/investments/payMaturities.ts'
import { contributeCapital } from '../../money/reserve/contributeCapital.ts'
import { approveWithdrawal } from '../../requests/transactions/approveWithdrawal.ts'
import { requestWithdrawal } from '../../requests/transactions/requestWithdrawal.ts'
import { newAddress } from '../../testing/addresses.ts'
import {
  actAs,
  codeOf,
  investorWith,
  type Person,
  person,
  startProduct,
  testProduct,
  wallets,
} from '../../testing/product.ts'
import { tamper } from '../../testing/tamper.ts'
import { mailMorning } from './morningMail.ts'
import { readToday as readTodayAt } from './queries.ts'

const product = testProduct()
let admin: Person
let investor: Person
beforeAll(async () => {
  admin = await person(product, ['ADMIN'])
  investor = await investorWith(product, 1_000)
})

const countsOf = async ({ token }: Person) => (await product.call(readCounts, { token })).body
const todayOf = async ({ token }: Person) => (await product.call(readToday, { token })).body

/** A pending withdrawal of $40. */
const asked = () =>
  requestWithdrawal(product.context, {
    by: { id: investor.id, from: 'tests' },
    amount: cents(40_00n),
    destinationAddress: newAddress(),
    description: '',
  })

test('counts follow a withdrawal through its states', async () => {
  const before = await countsOf(admin)
  const { transactionId } = await asked()
  expect(await countsOf(admin)).toEqual({ ...before, decisions: before.decisions + 1 })
  await approveWithdrawal(product.context, {
    transactionId,
    userId: investor.id,
    by: actAs(admin),
  })
  expect(await countsOf(admin)).toEqual({ ...before, toSend: before.toSend + 1 })
})

test('an empty pool names its steps until it has money', async () => {
  const empty = await startProduct({}, { reserve: cents(0n) })
  try {
    const boss = await person(empty, ['SUPER_ADMIN'])
    const undone = async () => (await empty.call(readCounts, boss)).body.undone
    expect(await undone()).toEqual(['wallets', 'people', 'capital'])
    await wallets(empty, 1)
    await person(empty, ['SUPER_ADMIN'])
    expect(await undone()).toEqual(['capital'])
    const capital = { amount: cents(100_00n), note: 'for tests', contributedBy: 'tests' }
    await contributeCapital(empty.context, capital)
    expect(await undone()).toEqual([])
    await tamper(empty.database, 'UPDATE plans SET is_open = false')
    expect(await undone()).toEqual(['plan'])
    await investorWith(empty, 10)
    expect(await undone()).toEqual([])
  } finally {
    await empty.close()
  }
})

test('today has what moved and who decided', async () => {
  const before = await todayOf(admin)
  const { transactionId } = await asked()
  const decider = await person(product, ['ADMIN'])
  await approveWithdrawal(product.context, {
    transactionId,
    userId: investor.id,
    by: actAs(decider),
  })
  const overnight = { ...product.context, config: { ...product.context.config, daySeconds: 0 } }
  await openInvestment(overnight, {
    by: { id: investor.id, from: 'tests' },
    amount: cents(100_00n),
    durationDays: 12,
  })
  await payMaturities(product.context)
  const after = await todayOf(admin)
  expect(after.moneyIn).toEqual(before.moneyIn)
  expect(after.moneyIn).toEqual({ count: 1, amount: 1_000 })
  expect(after.moneyOut).toEqual({
    count: before.moneyOut.count + 1,
    amount: before.moneyOut.amount + 40,
  })
  expect(after.invested).toEqual({ count: 1, amount: 100 })
  expect(after.matured).toEqual({ count: 1, amount: 107 })
  expect(after.decisions).toContainEqual({ username: decider.email, count: 1, amount: 40 })
  expect(after.late).toEqual({ count: 0, amount: 0 })
  expect(after.since.slice(3, 5)).toEqual([0, 0])
})

test('decisions before yesterday are not of today', async () => {
  const later = new Date(Date.now() + 3 * 86_400_000)
  const { decisions, moneyIn } = await readTodayAt(product.context, later)
  expect(decisions).toEqual([])
  expect(moneyIn).toEqual({ count: 0, amount: 0 })
})

test('investors read neither counts nor today', async () => {
  for (const endpoint of [readCounts, readToday, readMorningMail]) {
    const refused = await product.call(endpoint, { token: investor.token })
    expect([refused.status, codeOf(refused)]).toEqual([403, 'forbidden'])
  }
})

const morningMails = async () => {
  const { rows } = await product.database.pool.query(
    `SELECT recipient, language, parameters -> 'today' AS today FROM mails
     WHERE template = 'morning' ORDER BY recipient`,
  )
  return rows
}
const choose = ({ token }: Person, wanted: boolean) =>
  product.call(saveMorningMail, { token, payload: { wanted } })

test('the day is mailed once to staff who chose it', async () => {
  const auditor = await person(product, ['AUDITOR'])
  const former = await person(product, ['ADMIN'])
  await product.database.superuser.query(
    `INSERT INTO known_devices (user_id, digest, language) VALUES ('${auditor.id}', 'device', 'es')`,
  )
  expect((await product.call(readMorningMail, auditor)).body).toEqual({ wanted: false })
  for (const each of [auditor, former]) expect((await choose(each, true)).body.wanted).toBe(true)
  expect(codeOf(await choose(investor, true))).toBe('forbidden')
  await product.database.superuser.query(
    `DELETE FROM user_roles WHERE user_id = '${former.id}' AND role <> 'USER'`,
  )
  const at = (hour: string) => new Date(`2040-03-04T${hour}:00Z`)
  expect(await mailMorning(product.context, at('05:59'))).toBe(0)
  // Several processes at once, and each hour after it.
  await Promise.all(Array.from({ length: 4 }, () => mailMorning(product.context, at('06:00'))))
  expect(await mailMorning(product.context, at('23:00'))).toBe(0)
  expect(await morningMails()).toEqual([
    {
      recipient: auditor.email,
      language: 'es',
      today: await readTodayAt(product.context, at('06:00')),
    },
  ])
  expect(await mailMorning(product.context, new Date('2040-03-05T06:00Z'))).toBe(1)
  await choose(auditor, false)
  expect(await mailMorning(product.context, new Date('2040-03-06T06:00Z'))).toBe(0)
})
