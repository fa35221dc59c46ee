import { cents } from '@pool/contract/base/money'
import { Refusal } from '@pool/contract/base/refusals'
import { reject } from '@pool/contract/requests/decisions'
import { cancel, withdraw } from '@pool/contract/requests/requests'
import { transactionStory } from '@pool/contract/requests/stories'
import { listTransactions } from '@pool/contract/requests/transactions'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { askProposal } from '../../agreements/proposals/ask.ts'
import { type Ledger, openLedger } from '../../ledger/engine/ledger.ts'
import { totalAvailable } from '../../ledger/families/accounts.ts'
import { custodyInCents } from '../../ledger/sums/custody.ts'
import { markCompleted } from '../../money/claims/markCompleted.ts'
import { savePayoutAddress } from '../../money/payoutAddresses/payoutAddress.ts'
import { newAddress } from '../../testing/addresses.ts'
import { approveTwice } from '../../testing/approveTwice.ts'
import { expectWhole } from '../../testing/decisions.ts'
import {
  actAs,
  balanceOf,
  codeOf,
  investorWith,
  type Person,
  person,
  testProduct,
} from '../../testing/product.ts'
import { expectStatements } from '../../testing/statements.ts'
import { approveWithdrawal } from './approveWithdrawal.ts'
import { cancelRequest } from './cancelRequest.ts'
import { markSent } from './markSent.ts'
import { rejectWithdrawal } from './rejectWithdrawal.ts'
import { requestWithdrawal } from './requestWithdrawal.ts'

const product = testProduct()
let first: Person
let second: Person
beforeAll(async () => {
  first = await person(product, ['SUPER_ADMIN'])
  second = await person(product, ['SUPER_ADMIN'])
})

const rows = async <Row>(text: string, ...values: unknown[]): Promise<Row[]> =>
  (await product.database.superuser.query(text, values)).rows
const estimate = (dollars: number, age = '0') =>
  rows(
    `INSERT INTO fee_estimates VALUES ('Bitcoin', $1, now() - $2::interval)
     ON CONFLICT (network_name) DO UPDATE SET cents = excluded.cents, at = excluded.at`,
    dollars * 100,
    age,
  )
beforeEach(() => estimate(12))
afterAll(() => expectWhole(product))

type WithdrawalRequest = {
  readonly amount?: number
  readonly networkFee?: number
  readonly key?: string
}
const ask = (
  { id: userId, token }: Person,
  { amount = 50, networkFee, key }: WithdrawalRequest = {},
  destinationAddress = newAddress(),
) =>
  product.call(withdraw, {
    token,
    ...(key !== undefined && { key }),
    payload: {
      userId,
      amount,
      destinationAddress,
      ...(networkFee !== undefined && { networkFee }),
    },
  })
const transactionsOf = ({ id }: Person) =>
  rows<{ amount: bigint; fee: bigint; status: string }>(
    `SELECT amount, fee, status FROM transactions WHERE user_id = $1 AND type = 'withdrawal'`,
    id,
  )
const movementsOf = (id: string) =>
  rows<{ movement: string; source: string; target: string; amount: number }>(
    `SELECT movement, s.kind AS source, t.kind AS target, amount::int FROM transfers AS f
       JOIN accounts AS s ON s.id = from_account_id JOIN accounts AS t ON t.id = to_account_id
     WHERE reference_id = $1 ORDER BY movement`,
    id,
  )
const SHARE = { networkFee: 7 }

/** A withdrawal of $43 whose investor bears $7. */
const shared = async (investor?: Person) => {
  const owner = investor ?? (await investorWith(product, 100))
  const { status, body } = await ask(owner, SHARE)
  expect(status).toBe(200)
  return { investor: owner, transactionId: body.transactionId, userId: owner.id }
}
type Shared = Awaited<ReturnType<typeof shared>>
const approved = async () => {
  const made = await shared()
  const { transactionId, userId } = made
  await approveWithdrawal(product.context, {
    transactionId,
    userId,
    by: actAs(await person(product, ['ADMIN'])),
  })
  return made
}
const giveBack = async ({ transactionId, userId }: Shared) => {
  const { id } = await askProposal(
    product.context,
    { by: actAs(first), language: 'en' },
    { kind: 'RETURN_WITHDRAWAL', transactionId, userId, reason: 'No', amount: 43 },
  )
  await approveTwice(product.context, { id, by: actAs(second) })
}

test('a share that is due is named before anything moves', async () => {
  const investor = await investorWith(product, 100)
  const { status, body, narration } = await ask(investor)
  expect([status, body]).toMatchObject([
    409,
    { code: 'networkFeeChanged', details: { fee: 12, borne: 5, share: 7 } },
  ])
  expect(narration).toContain(
    "The network's fee is about $12.00 now. The pool bears $5.00 of it, and you bear $7.00",
  )
  expect([await balanceOf(product, investor), await transactionsOf(investor)]).toEqual([100, []])
})

test('an agreed share leaves beside its withdrawal', async () => {
  const investor = await investorWith(product, 100)
  const { status, body } = await ask(investor, SHARE)
  expect([status, body]).toMatchObject([200, { amount: 43, networkFee: 7, status: 'PENDING' }])
  expect(await movementsOf(body.transactionId)).toEqual([
    { movement: 'withdrawal_fee_borne', source: 'available', target: 'held', amount: 700 },
    { movement: 'withdrawal_held', source: 'available', target: 'held', amount: 4300 },
  ])
  expect(await balanceOf(product, investor)).toBe(50)
  const { token } = investor
  const [newest] = (await product.call(listTransactions, { token })).body
  expect(newest).toMatchObject({ amount: 43, networkFee: 7 })
  const story = await product.call(transactionStory, { token, params: { id: body.transactionId } })
  expect(story.body.transaction).toMatchObject({ amount: 43, networkFee: 7 })
})

test.each([
  ['the fee rose', () => estimate(13), SHARE, 8],
  ['the fee fell', () => estimate(11), SHARE, 6],
  ['the fee is within the bound', () => estimate(5), SHARE, 0],
  ['the estimate is old', () => estimate(12, '61 minutes'), SHARE, 0],
  ['a part of it was sent', () => estimate(12), { networkFee: 6.99 }, 7],
])('a request with another share is refused once %s', async (_, change, asked, share) => {
  const investor = await investorWith(product, 100)
  await change()
  expect((await ask(investor, asked)).body).toMatchObject({
    code: 'networkFeeChanged',
    details: { share },
  })
  expect([await balanceOf(product, investor), await transactionsOf(investor)]).toEqual([100, []])
})

test.each([
  ['the fee is within the bound', () => estimate(5), undefined],
  ['the estimate is old', () => estimate(12, '61 minutes'), undefined],
  ['no network is known', () => estimate(12), 'Under the mattress'],
])('nothing changes where %s', async (_, change, destination) => {
  const investor = await investorWith(product, 100)
  await change()
  const { body } = await ask(investor, {}, destination)
  expect(Object.keys(body).sort()).toEqual([
    'amount',
    'destinationAddress',
    'status',
    'transactionId',
  ])
  expect(body.amount).toBe(50)
  expect(await movementsOf(body.transactionId)).toHaveLength(1)
})

test('the saved payout address names the network', async () => {
  const investor = await investorWith(product, 100)
  const { config } = product.context
  await savePayoutAddress(product.context, {
    userId: investor.id,
    address: newAddress(),
    networkName: 'Bitcoin',
    by: actAs(investor),
  })
  const chains = [{ network: 'Bitcoin' }] as unknown as typeof config.chains
  const asking = requestWithdrawal(
    { ...product.context, config: { ...config, chains } },
    { by: { id: investor.id, from: 'tests' }, amount: cents(50_00n) },
  )
  await expect(asking).rejects.toMatchObject({ code: 'networkFeeChanged' })
})

test('the bound is one percent of a large amount', async () => {
  const investor = await investorWith(product, 3_000)
  await estimate(30)
  expect((await ask(investor, { amount: 2_000 })).body).toMatchObject({
    details: { fee: 30, borne: 20, share: 10 },
  })
})

test('a fee above the whole amount is refused', async () => {
  const investor = await investorWith(product, 100)
  await estimate(55)
  for (const asked of [{}, { networkFee: 50 }])
    expect(codeOf(await ask(investor, asked))).toBe('networkFeeAboveAmount')
  expect(await balanceOf(product, investor)).toBe(100)
})

test('a balance below amount and share is refused', async () => {
  const investor = await investorWith(product, 49)
  expect((await ask(investor, SHARE)).body).toMatchObject({ code: 'insufficientFunds' })
  expect(await balanceOf(product, investor)).toBe(49)
})

test('a repeat answers alike after the fee changed', async () => {
  const investor = await investorWith(product, 100)
  const asked = { ...SHARE, key: crypto.randomUUID() }
  const address = newAddress()
  const once = await ask(investor, asked, address)
  await estimate(20)
  expect((await ask(investor, asked, address)).body).toEqual(once.body)
  expect(await balanceOf(product, investor)).toBe(50)
})

test.each([
  [
    'is cancelled',
    shared,
    ({ investor: { token }, transactionId: id }: Shared) =>
      product.call(cancel, { token, params: { id }, payload: {} }),
    'withdrawal_released',
  ],
  [
    'is rejected',
    shared,
    ({ transactionId: id }: Shared) =>
      product.call(reject, { token: first.token, params: { id }, payload: {} }),
    'withdrawal_released',
  ],
  ['is given back', approved, giveBack, 'withdrawal_returned'],
])('a share comes back once its withdrawal %s', async (_, make, end, movement) => {
  const made = await make()
  await end(made)
  await end(made).catch(() => undefined)
  expect(await balanceOf(product, made.investor)).toBe(100)
  expect(await movementsOf(made.transactionId)).toEqual(
    expect.arrayContaining([
      { movement: 'withdrawal_fee_returned', source: 'held', target: 'available', amount: 700 },
      expect.objectContaining({ movement, amount: 4300 }),
    ]),
  )
})

test('a share stays once its withdrawal is completed', async () => {
  const { transactionId, userId, investor } = await approved()
  const by = actAs(first)
  await markSent(product.context, {
    transactionId,
    by,
    networkName: 'Bitcoin',
    evidence: `${crypto.randomUUID()}${crypto.randomUUID()}`.replaceAll('-', ''),
  })
  await markCompleted(product.context, { transactionId, by })
  expect((await movementsOf(transactionId)).map(({ movement }) => movement)).toEqual([
    'withdrawal_approved',
    'withdrawal_completed',
    'withdrawal_fee_borne',
    'withdrawal_fee_kept',
    'withdrawal_held',
  ])
  expect(await balanceOf(product, investor)).toBe(50)
  const entries = await rows<{ after: object }>(
    `SELECT after FROM audit_entries WHERE owner_id = $1 AND action = 'withdrawal.approved'`,
    userId,
  )
  expect(entries).toMatchObject([{ after: { amount: 43, networkFee: 7 } }])
})

test('coins and balances are those of the ledger', async () => {
  await shared()
  const sumOf = async (kind: string) =>
    (
      await rows<{ sum: bigint }>(
        `SELECT coalesce(sum(CASE WHEN a.id = to_account_id THEN amount ELSE -amount END), 0)::bigint AS sum
       FROM transfers JOIN accounts AS a ON a.id IN (from_account_id, to_account_id) WHERE a.kind = $1`,
        kind,
      )
    )[0]?.sum
  expect(await custodyInCents(product.context.db)).toBe(-((await sumOf('custody')) ?? 0n))
  expect(await totalAvailable(product.context.db)).toBe(await sumOf('available'))
})

test.each([
  ['a share of no withdrawal', `'withdrawal_fee_borne'`, 700],
  ['a share that comes back alone', `'withdrawal_fee_returned'`, 700],
  ['a withdrawal that ends without its share', `'withdrawal_released'`, 4300],
])('the database refuses %s', async (_, name, amount) => {
  const { transactionId, userId } = await shared()
  await expect(
    product.database.pool.query(
      `INSERT INTO movements (reference_id, name, from_account_id, to_account_id, amount)
       SELECT $1, ${name}, max(id) FILTER (WHERE kind = 'held'), max(id) FILTER (WHERE kind = 'available'), $3
       FROM accounts WHERE owner_id = $2`,
      [name === `'withdrawal_fee_borne'` ? crypto.randomUUID() : transactionId, userId, amount],
    ),
  ).rejects.toThrow(/without the share of its fee/)
  await expect(
    product.database.pool.query('UPDATE transactions SET fee = 1 WHERE id = $1', [transactionId]),
  ).rejects.toThrow()
})

const LEDGERS = 6
const outcomeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
    return 'done'
  } catch (error) {
    if (error instanceof Refusal && error.code !== 'outcomeUnknown') return error.code
    throw error
  }
}

test('each share comes back once and with its withdrawal', async () => {
  const investors = await Promise.all([0, 1, 2].map(() => investorWith(product, 1_000)))
  const ledgers = Array.from({ length: LEDGERS }, () => openLedger(product.database.pool))
  const on = (ledger: Ledger) => ({ ...product.context, ledger })
  const asks = ledgers.flatMap((ledger, at) =>
    Array.from({ length: 5 }, (_, n) => ({
      ledger,
      investor: investors[(at + n) % investors.length] as Person,
      // Some were shown another share.
      fee: n === 4 ? cents(6_00n) : cents(7_00n),
    })),
  )
  const asked = await Promise.all(
    asks.map(({ ledger, investor: { id }, fee }) =>
      outcomeOf(
        requestWithdrawal(on(ledger), {
          by: { id, from: 'tests' },
          amount: cents(50_00n),
          fee,
          destinationAddress: newAddress(),
        }),
      ),
    ),
  )
  expect(asked.filter((each) => each === 'networkFeeChanged')).toHaveLength(LEDGERS)
  const ids = investors.map(({ id }) => id)
  const all = await rows<{ id: string; user_id: string }>(
    `SELECT id, user_id FROM transactions WHERE user_id = ANY ($1) AND type = 'withdrawal' ORDER BY id`,
    ids,
  )
  expect(all).toHaveLength(4 * LEDGERS)
  const admins = await Promise.all(ledgers.map(() => person(product, ['ADMIN'])))
  const adminAt = (at: number) => actAs(admins[at % LEDGERS] as Person)
  const open = all.slice(0, 2 * LEDGERS)
  const returns: Promise<void>[] = []
  for (const [at, { id: transactionId, user_id: userId }] of open.entries()) {
    await approveWithdrawal(product.context, { transactionId, userId, by: adminAt(at) })
    const { id } = await askProposal(
      product.context,
      { by: actAs(first), language: 'en' },
      { kind: 'RETURN_WITHDRAWAL', transactionId, userId, reason: 'No', amount: 43 },
    )
    returns.push(approveTwice(on(ledgers[at % LEDGERS] as Ledger), { id, by: actAs(second) }))
  }
  const ends = all.slice(2 * LEDGERS).flatMap(({ id: transactionId, user_id: userId }, at) => {
    const owner = actAs(investors.find(({ id }) => id === userId) as Person)
    const context = (round: number) => on(ledgers[(at + round) % LEDGERS] as Ledger)
    return [
      outcomeOf(cancelRequest(context(0), { transactionId, by: owner })),
      outcomeOf(rejectWithdrawal(context(1), { transactionId, by: adminAt(at) })),
      outcomeOf(rejectWithdrawal(context(2), { transactionId, by: adminAt(at + 1) })),
    ]
  })
  await Promise.all([...ends, ...returns])
  const outcomes = await Promise.all(ends)
  expect(outcomes.filter((each) => each === 'done')).toHaveLength(2 * LEDGERS)
  const [found] = await rows<{ borne: number; back: number; ended: number; all: number }>(
    `SELECT count(*) FILTER (WHERE name = 'withdrawal_fee_borne')::int AS borne, count(*) FILTER (WHERE name = 'withdrawal_fee_returned')::int AS back,
       count(DISTINCT t.id) FILTER (WHERE status IN ('REJECTED', 'RETURNED'))::int AS ended, count(DISTINCT t.id)::int AS all
     FROM movements JOIN transactions AS t ON t.id = reference_id WHERE user_id = ANY ($1) AND type = 'withdrawal'`,
    ids,
  )
  expect(found).toEqual({ borne: all.length, back: all.length, ended: all.length, all: all.length })
  for (const investor of investors) expect(await balanceOf(product, investor)).toBe(1_000)
})

test('statements count what is borne as fees', async () => {
  const lines = await expectStatements(product)
  const names = new Set(lines.map(({ movement }) => movement))
  expect(names).toContain('withdrawal_fee_borne')
  expect(names).toContain('withdrawal_fee_returned')
})
