import { cents } from '@pool/contract/base/money'
import type { AccountKind, MovementName } from '@pool/contract/money/ledger'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { openInvestment } from '../../money/investments/openInvestment.ts'
import { payMaturities } from '../../money/investments/payMaturities.ts'
import { contributeCapital } from '../../money/reserve/contributeCapital.ts'
import { approveWithdrawal } from '../../requests/transactions/approveWithdrawal.ts'
import { rejectWithdrawal } from '../../requests/transactions/rejectWithdrawal.ts'
import { requestWithdrawal } from '../../requests/transactions/requestWithdrawal.ts'
import { payOut } from '../../testing/payouts.ts'
import { actAs, fund, type Person, person, testProduct } from '../../testing/product.ts'
import { tamper } from '../../testing/tamper.ts'
import { POOL_OWNER } from '../families/accounts.ts'
import { checkLedger, findingOf } from './check.ts'

/**
 * Each tampering leaves every balance equal to its transfers. Only payer, receiver or amount
 * contradict the cause.
 */

const product = testProduct()
let victim: Person
let thief: Person
/** The ids of the rows about the victim's money. */
const ids: Record<string, string> = {}

beforeAll(async () => {
  const { context } = product
  ;[victim, thief] = [await person(product), await person(product)]
  const admin = await person(product, ['ADMIN'])
  for (const each of [victim, thief]) await fund(product, each, cents(1_000_00n))
  await fund(product, victim, cents(50_00n))
  await contributeCapital(context, {
    amount: cents(7_00n),
    note: 'to be misdirected',
    contributedBy: 'tests',
  })
  const hold = async (userId: string) =>
    (await requestWithdrawal(context, { by: { id: userId, from: 'tests' }, amount: cents(10_00n) }))
      .transactionId
  const invest = async (daySeconds: number) => {
    const config = { ...context.config, daySeconds }
    return (
      await openInvestment(
        { ...context, config },
        { by: { id: victim.id, from: 'tests' }, amount: cents(100_00n), durationDays: 1 },
      )
    ).investmentId
  }
  const decision = { by: actAs(admin) }
  ids.matured = await invest(0)
  await payMaturities(context)
  ids.open = await invest(86_400)
  ids.held = await hold(victim.id)
  await hold(thief.id)
  ids.paid = await hold(victim.id)
  await approveWithdrawal(context, { ...decision, transactionId: ids.paid, userId: victim.id })
  ids.completed = await hold(victim.id)
  await payOut(context, { ...decision, transactionId: ids.completed, userId: victim.id })
  ids.released = await hold(victim.id)
  await rejectWithdrawal(context, { ...decision, transactionId: ids.released, reason: 'No' })
  const { rows } = await product.database.pool.query(
    `SELECT (SELECT id FROM transactions WHERE type = 'deposit' AND amount = 5000) AS deposit, (SELECT id FROM contributions WHERE amount = 700) AS contribution`,
  )
  Object.assign(ids, rows[0])
  await product.database.superuser.query(
    COPIED.map((table) => `CREATE TABLE ${table}_before AS TABLE ${table}`).join(';'),
  )
})

/**
 * Makes every balance the sum of its transfers again, so that only the transfers show the
 * tampering.
 */
const SETTLE = `UPDATE accounts SET balance = coalesce((
    SELECT sum(CASE WHEN to_account_id = accounts.id THEN amount ELSE -amount END) FROM transfers WHERE accounts.id IN (from_account_id, to_account_id)), 0)
  WHERE balance IS NOT NULL`

const COPIED = ['movements', 'transactions', 'wallets']
const undo = COPIED.map(
  (table) => `DELETE FROM ${table}; INSERT INTO ${table} TABLE ${table}_before`,
).join(';')

/** Checks after a change, then undoes it. Balances must show nothing. */
const findingAfter = async (change: string): Promise<string | undefined> => {
  try {
    await tamper(product.database, `${change}; ${SETTLE}`)
    const check = await checkLedger(product.context.db)
    expect(check.firstDifference).toBeUndefined()
    return findingOf(check)
  } finally {
    await tamper(product.database, `${undo}; ${SETTLE}`)
  }
}
afterEach(async () => expect(findingOf(await checkLedger(product.context.db))).toBeUndefined())

const account = (kind: AccountKind, owner = POOL_OWNER) =>
  `(SELECT id FROM accounts WHERE owner_id = '${owner}' AND kind = '${kind}')`
/** Changes one of the victim's movements. */
const post = (movement: MovementName, cause: string | undefined, change: string) =>
  `UPDATE movements SET ${change} WHERE name = '${movement}' AND reference_id = '${cause}'`
const to = (kind: AccountKind, owner?: string) => `to_account_id = ${account(kind, owner)}`
const from = (kind: AccountKind, owner?: string) => `from_account_id = ${account(kind, owner)}`
const copyOf = (cause: string | undefined, name = 'name') =>
  `INSERT INTO movements (reference_id, name, from_account_id, to_account_id, amount)
   SELECT reference_id, ${name}, from_account_id, to_account_id, amount FROM movements WHERE reference_id = '${cause}'`

const planted: Record<string, { readonly cause: string; readonly change: () => string }> = {
  'a deposit credited to another': {
    cause: 'deposit',
    change: () => post('deposit_confirmed', ids.deposit, to('available', thief.id)),
  },
  "a deposit credited to its investor's held money": {
    cause: 'deposit',
    change: () => post('deposit_confirmed', ids.deposit, to('held', victim.id)),
  },
  'a deposit credited from the reserve': {
    cause: 'deposit',
    change: () => post('deposit_confirmed', ids.deposit, from('reserve')),
  },
  'a deposit of more than was asked for': {
    cause: 'deposit',
    change: () => post('deposit_confirmed', ids.deposit, 'amount = amount + 1'),
  },
  'a deposit credited twice': {
    cause: 'deposit',
    change: () => copyOf(ids.deposit, "'capital_contributed'"),
  },
  'a deposit under the name of another movement': {
    cause: 'deposit',
    change: () => post('deposit_confirmed', ids.deposit, "name = 'capital_contributed'"),
  },
  "a withdrawal held from another's money": {
    cause: 'held',
    change: () => post('withdrawal_held', ids.held, from('available', thief.id)),
  },
  "a withdrawal held in another's name": {
    cause: 'held',
    change: () => post('withdrawal_held', ids.held, to('held', thief.id)),
  },
  "a withdrawal approved from another's held money": {
    cause: 'paid',
    change: () => post('withdrawal_approved', ids.paid, from('held', thief.id)),
  },
  'a withdrawal approved from what was not held': {
    cause: 'paid',
    change: () => post('withdrawal_approved', ids.paid, from('available', victim.id)),
  },
  'a withdrawal approved into the reserve': {
    cause: 'paid',
    change: () => post('withdrawal_approved', ids.paid, to('reserve')),
  },
  'a completed withdrawal whose amount went elsewhere': {
    cause: 'completed',
    change: () => post('withdrawal_completed', ids.completed, to('reserve')),
  },
  'a completed withdrawal without its last movement': {
    cause: 'completed',
    change: () =>
      `DELETE FROM movements WHERE name = 'withdrawal_completed' AND reference_id = '${ids.completed}'`,
  },
  'a completed withdrawal that was given back as well': {
    cause: 'completed',
    change: () =>
      `INSERT INTO movements (reference_id, name, from_account_id, to_account_id, amount)
       SELECT reference_id, 'withdrawal_returned', from_account_id, ${account('available', thief.id)}, amount
       FROM movements WHERE name = 'withdrawal_completed' AND reference_id = '${ids.completed}'`,
  },
  'a rejected withdrawal released to another': {
    cause: 'released',
    change: () => post('withdrawal_released', ids.released, to('available', thief.id)),
  },
  'a movement the wrong way round': {
    cause: 'released',
    change: () =>
      post(
        'withdrawal_released',
        ids.released,
        'from_account_id = to_account_id, to_account_id = from_account_id',
      ),
  },
  "an investment made of another's money": {
    cause: 'open',
    change: () => post('investment_opened', ids.open, from('available', thief.id)),
  },
  'interest set aside for another purpose': {
    cause: 'open',
    change: () => post('investment_opened', ids.open, `interest_${to('invested', thief.id)}`),
  },
  'a principal paid back to another': {
    cause: 'matured',
    change: () => post('investment_matured', ids.matured, to('available', thief.id)),
  },
  'interest paid to another': {
    cause: 'matured',
    change: () => post('investment_matured', ids.matured, `interest_${to('available', thief.id)}`),
  },
  "interest paid from another's principal": {
    cause: 'matured',
    change: () =>
      post('investment_matured', ids.matured, `interest_${from('invested', victim.id)}`),
  },
  'capital put where it is already committed': {
    cause: 'contribution',
    change: () => post('capital_contributed', ids.contribution, to('committed')),
  },
}

test.each(Object.entries(planted))('%s is found by its accounts', async (_, { cause, change }) => {
  expect(await findingAfter(change())).toMatch(
    new RegExp(`^The \\w+ ${ids[cause]} [A-Z]+ does not match its transfers: .*\\d\\.?`),
  )
})

test('a movement is written once for its cause', async () => {
  await expect(tamper(product.database, copyOf(ids.deposit))).rejects.toThrow(
    /movements_begin_pkey/,
  )
})

test('a finding names both owners of the money', async () => {
  expect(
    await findingAfter(post('deposit_confirmed', ids.deposit, to('available', thief.id))),
  ).toBe(
    `The transaction ${ids.deposit} APPROVED does not match its transfers: deposit_confirmed 5000 from custody to available of ${thief.id}.`,
  )
})

test('a transfer without a cause or account is found', async () => {
  const stranger = crypto.randomUUID()
  expect(
    await findingAfter(
      `UPDATE movements SET reference_id = '${stranger}' WHERE name = 'withdrawal_approved' AND reference_id = '${ids.paid}'`,
    ),
  ).toMatch(/does not match its transfers/)
  expect(
    await findingAfter(post('deposit_confirmed', ids.deposit, 'from_account_id = 999999')),
  ).toMatch(/deposit_confirmed 5000 from no account to available of/)
})

test('an investment that its payout contradicts is found', async () => {
  const payout = `type = 'payout' AND investment_id = '${ids.matured}'`
  const finding = (story: string) =>
    `The investment ${ids.matured} COMPLETED does not match its payout: ${story}.`
  const paid = (amount: number, owner = victim.id) => `${amount} COMPLETED of ${owner}`
  expect(await findingAfter(`DELETE FROM transactions WHERE ${payout}`)).toBe(finding('nothing'))
  expect(await findingAfter(`UPDATE transactions SET amount = amount + 1 WHERE ${payout}`)).toBe(
    finding(paid(104_01)),
  )
  expect(
    await findingAfter(`UPDATE transactions SET user_id = '${thief.id}' WHERE ${payout}`),
  ).toBe(finding(paid(104_00, thief.id)))
  expect(
    await findingAfter(
      `UPDATE transactions SET created_at = created_at - interval '1 hour' WHERE ${payout}`,
    ),
  ).toBe(finding(`${paid(104_00)}, before it matured`))
})

test("a deposit to another investor's wallet is found", async () => {
  const theirs = `(SELECT id FROM wallets WHERE owner_id = '${thief.id}')`
  expect(
    await findingAfter(`UPDATE transactions SET wallet_id = ${theirs} WHERE id = '${ids.deposit}'`),
  ).toBe(
    `The transaction ${ids.deposit} APPROVED of ${victim.id} is to be paid to a wallet of ${thief.id}.`,
  )
})
