import { cents } from '@pool/contract/base/money'
import { withdraw } from '@pool/contract/requests/requests'
import { beforeAll, describe, expect, test } from 'vitest'
import { giveRole, takeRole } from '../../accounts/users/roles.ts'
import { approveWithdrawal } from '../../requests/transactions/approveWithdrawal.ts'
import { confirmDeposit } from '../../requests/transactions/confirmDeposit.ts'
import { requestDeposit } from '../../requests/transactions/requestDeposit.ts'
import { newAddress } from '../../testing/addresses.ts'
import { openDesk } from '../../testing/loanDesk.ts'
import { actAs, fund, type Person, person, testProduct } from '../../testing/product.ts'
import { tamper } from '../../testing/tamper.ts'
import { checkRowsAgainstTrail } from './rowsAgainstTrail.ts'

const product = testProduct()
const findings = async () => (await checkRowsAgainstTrail(product.context.db)).findings

let investor: Person
let other: Person
const payee = newAddress('Bitcoin')
/** The ids of a withdrawal that waits for its coins, and of a repayment. */
const made = { withdrawal: '', repayment: '' }

beforeAll(async () => {
  const { context } = product
  investor = await person(product)
  other = await person(product)
  await fund(product, investor, cents(500_00n))
  const admin = await person(product, ['ADMIN'])
  const asked = await product.call(withdraw, {
    token: investor.token,
    payload: {
      userId: investor.id,
      amount: 100,
      networkName: 'Bitcoin',
      destinationAddress: payee,
    },
  })
  made.withdrawal = asked.body.transactionId
  await approveWithdrawal(context, {
    transactionId: made.withdrawal,
    userId: investor.id,
    by: actAs(admin),
    payeeAddress: payee,
  })
  const desk = openDesk(product, admin, await person(product, ['ADMIN']))
  const loan = await desk.active()
  made.repayment = (await desk.repay(loan)).body.repaymentId
})

test('rows of the product are those of their entries', async () => {
  expect(await findings()).toEqual([])
})

describe('a changed row that money followed is named:', () => {
  const of = (id: () => string) => `'${id()}'`
  const withdrawal = () => of(() => made.withdrawal)
  const repayment = () => of(() => made.repayment)
  test.each<[string, () => string, RegExp]>([
    [
      'the payee of an approved withdrawal',
      () =>
        `UPDATE transactions SET payee_address = '${newAddress('Bitcoin')}' WHERE id = ${withdrawal()}`,
      /Withdrawal .* differs from its entry/,
    ],
    [
      'its destination',
      () =>
        `UPDATE transactions SET destination_address = '${newAddress('Bitcoin')}' WHERE id = ${withdrawal()}`,
      /Withdrawal .* differs from its entry/,
    ],
    [
      'the owner of a deposit',
      () => `UPDATE transactions SET user_id = '${other.id}' WHERE type = 'deposit'`,
      /Deposit .* differs from its entry/,
    ],
    [
      'the day of a repayment',
      () => `UPDATE loan_repayments SET value_on = value_on - 9 WHERE id = ${repayment()}`,
      /Repayment .* differs from its entry/,
    ],
    [
      'its reference',
      () => `UPDATE loan_repayments SET reference = 'Another' WHERE id = ${repayment()}`,
      /Repayment .* differs from its entry/,
    ],
    [
      'the note of a contribution',
      () => `UPDATE contributions SET note = 'Of somebody else'`,
      /Contribution .* differs from its entry/,
    ],
  ])('%s', async (_, change, sentence) => {
    const tables = ['transactions', 'loan_repayments', 'contributions']
    const [keep, back] = [
      tables.map((table) => `CREATE TABLE kept_${table} AS SELECT * FROM ${table}`),
      tables.map(
        (table) =>
          `DELETE FROM ${table}; INSERT INTO ${table} SELECT * FROM kept_${table}; DROP TABLE kept_${table}`,
      ),
    ]
    await tamper(product.database, `${keep.join('; ')}; ${change()}`)
    try {
      expect(await findings()).toContainEqual(expect.stringMatching(sentence))
    } finally {
      await tamper(product.database, back.join('; '))
    }
  })
})

describe('a decision is named', () => {
  /** A deposit that this person confirms. */
  const decides = async (by: Person) => {
    const { transactionId } = await requestDeposit(product.context.ledger, {
      by: { id: investor.id, from: 'tests' },
      amount: cents(50_00n),
    })
    await confirmDeposit(product.context, { transactionId, by: actAs(by) })
  }
  const isNamed = ({ email }: Person) =>
    findings().then((all) =>
      all.some((each) => each.includes(`deposit.confirmed by ${email}, is of a person without`)),
    )

  test('whose roles SQL gave and took again', async () => {
    const thief = await person(product)
    const { superuser } = product.database
    await superuser.query("INSERT INTO user_roles (user_id, role) VALUES ($1, 'ADMIN')", [thief.id])
    await decides(thief)
    await superuser.query("DELETE FROM user_roles WHERE user_id = $1 AND role = 'ADMIN'", [
      thief.id,
    ])
    expect(await isNamed(thief)).toBe(true)
  })

  test('unless its person had the role at that moment', async () => {
    const { context } = product
    const admin = await person(product)
    const about = {
      userId: admin.id,
      by: { name: 'tests', from: 'operator' },
      role: 'ADMIN',
    } as const
    await context.db
      .transaction()
      .execute((transaction) => giveRole(transaction, context.keys, about))
    await decides(admin)
    await context.db.transaction().execute((transaction) => takeRole(transaction, context, about))
    expect(await isNamed(admin)).toBe(false)
  })
})
