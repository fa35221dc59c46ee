import { cents } from '@pool/contract/base/money'
import { describe, expect, test } from 'vitest'
import { AT, decideBy, NO_FACTS, type TestFacts } from '../../testing/facts.ts'
import { POOL_OWNER } from '../families/accounts.ts'
import type { Decidable, Evidence } from '../families/decisions.ts'
import type { DepositRequested } from '../families/deposits.ts'
import type { Outcome } from '../families/movement.ts'
import type { Operation } from '../families/movements.ts'
import type { AccountHolds } from '../families/withdrawals.ts'

const staffOf = (...ids: readonly string[]) => new Map(ids.map((id) => [id, id]))

const nothing: TestFacts = {
  ...NO_FACTS,
  accounts: [
    { id: 1n, ownerId: 'ada', kind: 'available', balance: 100_00n },
    { id: 2n, ownerId: 'ada', kind: 'held', balance: 50_00n },
    { id: 3n, ownerId: 'ada', kind: 'invested', balance: 10_00n },
    { id: 4n, ownerId: POOL_OWNER, kind: 'reserve', balance: 5_00n },
    { id: 5n, ownerId: POOL_OWNER, kind: 'committed', balance: 1_00n },
    { id: 6n, ownerId: POOL_OWNER, kind: 'custody', balance: -500_00n },
    { id: 8n, ownerId: POOL_OWNER, kind: 'outgoing', balance: 0n },
  ],
  staff: staffOf('eve', 'bob'),
}

const run = (operations: readonly Operation[], facts: Partial<TestFacts> = {}) =>
  decideBy(operations, { ...nothing, ...facts }).verdicts
const outcomes = (...given: Parameters<typeof run>) => run(...given).map(({ outcome }) => outcome)
const told = (outcome: Outcome): string => ('refused' in outcome ? outcome.refused : 'posted')

let made = 0
const withdrawal = (amount: bigint, key?: string, requestHash = 'same'): Operation => ({
  movement: 'withdrawal_held',
  fee: cents(0n),
  paidOn: undefined,
  by: { id: 'ada', from: 'tests' },
  id: `withdrawal ${made++}`,
  amount: cents(amount),
  description: '',
  destinationAddress: '',
  destinationNetwork: '',
  needsConfirmedEmail: true,
  idempotency: key === undefined ? undefined : { actorId: 'ada', key, requestHash },
})
const investment = (principal: bigint, interest: bigint): Operation => ({
  movement: 'investment_opened',
  by: { id: 'ada', from: 'tests' },
  id: 'investment',
  principal: cents(principal),
  interest: cents(interest),
  rateBasisPoints: 400,
  durationDays: 1,
  durationSeconds: 86_400,
  planId: 'plan',
  least: cents(1n),
  isCapped: false,
})
const maturity: Operation = {
  movement: 'investment_matured',
  id: 'investment',
  ownerId: 'ada',
  payoutId: 'payout',
  returned: cents(10_00n),
  interest: cents(1_00n),
}
const decidedBy = (by: string, ownerId = 'ada') => ({
  by: { id: by, from: 'tests' },
  id: 'request',
  ownerId,
  amount: cents(50_00n),
  entry: { after: { status: 'APPROVED' } },
})
const confirmation = (by: string, evidence?: Evidence): Operation => ({
  ...decidedBy(by),
  movement: 'deposit_confirmed',
  evidence,
})
/** A deposit of 50 dollars of which this much was received. */
const receipt = (by: string, amount: bigint): Operation => ({
  ...decidedBy(by),
  movement: 'deposit_confirmed',
  amount: cents(amount),
})
const given = (...approvals: readonly (readonly [string, bigint])[]): Partial<TestFacts> =>
  request({
    needed: 2,
    approvals: approvals.map(([by, amount]) => ({ by, amount: cents(amount) })),
  })
const approval = (by: string, payeeAddress?: string): Operation => ({
  ...decidedBy(by),
  movement: 'withdrawal_approved',
  payeeAddress,
})
const rejection = (by: string, ownerId?: string): Operation => ({
  ...decidedBy(by, ownerId),
  movement: 'withdrawal_released',
  reason: 'no',
})
test('coins in custody never fall below none', () => {
  const fee = (id: string, amount: bigint): Operation => ({
    movement: 'network_fee_paid',
    id,
    movementId: id,
    amount: cents(amount),
    entry: {},
  })
  const coins = new Map(
    ['one', 'two'].map((id) => [
      id,
      { feeId: null, amount: null, status: null, isFee: true, isGone: false },
    ]),
  )
  const accounts = nothing.accounts.map((account) =>
    account.kind === 'custody' ? { ...account, balance: -3_00n } : account,
  )
  const facts = { accounts, coinsOfFees: coins }
  expect(outcomes([fee('one', 2_00n), fee('two', 2_00n)], facts)).toMatchObject([
    { id: 'one' },
    { refused: 'coinsShort', coins: 1 },
  ])
})

const pending: Decidable = {
  ownerId: 'ada',
  ownerIds: ['ada'],
  status: 'PENDING',
  needed: 1,
  evidence: null,
  walletId: 'wallet',
  payee: 'home',
  fee: 0n,
  approvals: [],
}
const request = (columns: Partial<Decidable> = {}): Partial<TestFacts> => ({
  requests: new Map([['request', { ...pending, ...columns }]]),
})

const proof = { network: 'Bitcoin', id: 'coins' }

describe('before any rule', () => {
  const known = new Map([[0, { requestHash: 'same', outcome: { id: 'first', at: AT } }]])
  const paused = {
    withdrawal_held: { refused: 'paused', name: 'withdrawals', reason: 'x' },
  } as const

  const until = new Date('2026-01-02T00:00:00Z')
  const standing = (of: Partial<AccountHolds>, user = 'ada'): Partial<TestFacts> => ({
    accountHolds: new Map([
      [user, { restsUntil: null, frozen: false, suspended: false, unconfirmed: false, ...of }],
    ]),
  })
  const resting = standing({ restsUntil: until })
  const frozen = standing({ frozen: true })

  test.each<[string, Partial<TestFacts>, string | undefined, string]>([
    ['an ended session refuses', { ended: new Set([0]), known, paused }, 'key', 'unauthenticated'],
    ['a repeat gets the first outcome', { known, paused }, 'key', 'posted'],
    ['a pause refuses', { paused }, 'key', 'paused'],
    ['a pause refuses without a key', { paused }, undefined, 'paused'],
    ['a rest refuses', resting, 'key', 'withdrawalsRest'],
    ['a rest refuses without a key', resting, undefined, 'withdrawalsRest'],
    ['a repeat during a rest gets the first outcome', { known, ...resting }, 'key', 'posted'],
    [
      'a frozen account refuses',
      standing({ frozen: true, restsUntil: until }),
      'key',
      'accountFrozen',
    ],
    [
      'an unconfirmed email refuses',
      standing({ unconfirmed: true, restsUntil: until }),
      'key',
      'emailUnconfirmed',
    ],
    ['a closed account refuses', { closed: new Set(['ada']), paused }, 'key', 'accountClosed'],
    ['a frozen account refuses without a key', frozen, undefined, 'accountFrozen'],
  ])('%s', (_, facts, key, outcome) => {
    const [verdict] = run([withdrawal(1_00n, key)], facts)
    expect(verdict && told(verdict.outcome)).toBe(outcome)
    expect(verdict).toMatchObject({ keep: false })
    expect(verdict?.accepted).toBeUndefined()
  })

  test('a rest concerns withdrawals of its own user alone', () => {
    const others = standing({ restsUntil: until }, 'bob')
    expect(outcomes([withdrawal(1_00n)], others).map(told)).toEqual(['posted'])
    expect(outcomes([investment(1_00n, 1n)], resting).map(told)).toEqual(['posted'])
  })

  test('a frozen or suspended owner is rejected, not approved', () => {
    const facts = { ...request(), ...frozen }
    expect(run([approval('eve')], facts)).toEqual([
      { outcome: { refused: 'ownerFrozen' }, keep: false },
    ])
    expect(outcomes([rejection('eve')], facts).map(told)).toEqual(['posted'])
    const suspended = { ...request(), ...standing({ suspended: true }) }
    expect(outcomes([approval('eve'), rejection('eve')], suspended).map(told)).toEqual([
      'ownerSuspended',
      'posted',
    ])
    const others = { ...request(), ...standing({ frozen: true }, 'eve') }
    expect(outcomes([approval('eve')], others).map(told)).toEqual(['posted'])
    expect(
      outcomes([investment(1_00n, 1n)], standing({ frozen: true, unconfirmed: true })).map(told),
    ).toEqual(['posted'])
  })

  test('a key of another request is refused', () => {
    expect(outcomes([withdrawal(1_00n, 'key', 'other')], { known })).toEqual([
      { refused: 'keyReused' },
    ])
  })

  test('repeats within a group follow the first', () => {
    const group = [
      withdrawal(60_00n, 'key'),
      withdrawal(60_00n, 'key'),
      withdrawal(60_00n, 'key', 'other'),
      withdrawal(60_00n, 'new'),
    ]
    const [first, ...others] = outcomes(group)
    expect(others).toEqual([
      first,
      { refused: 'keyReused' },
      { refused: 'insufficientFunds', balance: '4000' },
    ])
  })

  test('a repeat follows a first that is paused', () => {
    const group = [withdrawal(1_00n, 'key'), withdrawal(1_00n, 'key')]
    expect(outcomes(group, { paused }).map(told)).toEqual(['paused', 'paused'])
  })
})

describe('money', () => {
  test('each operation sees the ones before it', () => {
    const group = [withdrawal(60_00n), withdrawal(50_00n), withdrawal(40_00n)]
    expect(outcomes(group).map(told)).toEqual(['posted', 'insufficientFunds', 'posted'])
  })

  test('an investment moves principal and interest', () => {
    const [verdict] = run([investment(80_00n, 5_00n)])
    expect(verdict).toMatchObject({
      outcome: { id: 'investment', at: AT, maturesAt: '2026-01-02T00:00:00.123Z' },
      accepted: {
        transfers: [
          { from: 1n, to: 3n, amount: 80_00n },
          { from: 4n, to: 5n, amount: 5_00n },
        ],
      },
    })
  })

  test('a refused second leg undoes the first', () => {
    const group = [investment(80_00n, 5_01n), withdrawal(100_00n)]
    expect(outcomes(group).map(told)).toEqual(['reserveExhausted', 'posted'])
  })

  test('received money can be spent in the group', () => {
    const group = [withdrawal(110_00n), maturity, withdrawal(110_00n)]
    expect(outcomes(group, { matured: new Set(['investment']) }).map(told)).toEqual([
      'insufficientFunds',
      'posted',
      'posted',
    ])
  })

  test('a missing account is a fault of the books', () => {
    expect(outcomes([withdrawal(1n)], { accounts: [] })).toEqual([
      { refused: 'internal', why: 'names an account that was never opened' },
    ])
  })

  test('too little in another account is a fault', () => {
    const accounts = nothing.accounts.map((each) => ({ ...each, balance: each.balance && 1n }))
    expect(outcomes([rejection('eve')], { ...request(), accounts })).toEqual([
      { refused: 'internal', why: 'found only 1 cents in held' },
    ])
  })

  test('an investment is paid once and when due', () => {
    expect(outcomes([maturity]).map(told)).toEqual(['notMatured'])
    expect(outcomes([maturity, maturity], { matured: new Set(['investment']) }).map(told)).toEqual([
      'posted',
      'notMatured',
    ])
  })
})

describe('a decision', () => {
  test.each<[string, Operation, Partial<TestFacts>]>([
    ['transactionNotFound', rejection('eve'), {}],
    ['alreadyDecided', rejection('eve'), request({ status: 'EXPIRED' })],
    ['ownTransaction', rejection('ada'), { ...request(), staff: staffOf('ada') }],
    ['ownTransaction', approval('eve', 'home'), request({ ownerIds: ['ada', 'eve'] })],
    ['forbidden', rejection('mallory'), request()],
    ['ownerMismatch', rejection('eve', 'mallory'), request()],
    ['payeeChanged', approval('eve', 'elsewhere'), request()],
    ['approvedAlready', approval('eve', 'home'), given(['eve', 50_00n])],
    [
      'samePerson',
      approval('bob', 'home'),
      { ...given(['eve', 50_00n]), staff: new Map([...staffOf('eve'), ['bob', 'eve']]) },
    ],
    ['posted', approval('eve', 'home'), request()],
    ['posted', approval('eve'), request()],
    ['posted', rejection('eve'), given(['eve', 50_00n])],
  ])('is %s', (outcome, operation, facts) => {
    expect(outcomes([operation], facts).map(told)).toEqual([outcome])
  })

  test('refuses the ones after it', () => {
    expect(outcomes([approval('eve'), rejection('bob')], request())).toMatchObject([
      { id: 'request' },
      { refused: 'alreadyDecided', status: 'APPROVED' },
    ])
  })

  test('above a limit moves money with the second approval', () => {
    const limits = { ...nothing.limits, perPerson: cents(49_99n) }
    const [first, again, second] = run(
      [confirmation('eve', proof), confirmation('eve', proof), confirmation('bob')],
      { ...request(), limits },
    )
    expect(first).toMatchObject({ outcome: { missing: 1 }, accepted: { transfers: [] } })
    expect(again).toMatchObject({ outcome: { refused: 'approvedAlready' } })
    expect(second).toMatchObject({ accepted: { transfers: [{ from: 6n, to: 1n }] } })
    expect(second?.outcome).not.toHaveProperty('missing')
  })

  test('counts the lone decisions of the group', () => {
    const requests = new Map(['a', 'b'].map((id) => [id, pending]))
    const limits = { ...nothing.limits, perPerson: cents(99_99n) }
    const both = ['a', 'b'].map(
      (id): Operation => ({ ...decidedBy('eve'), movement: 'deposit_confirmed', id }),
    )
    expect(outcomes(both, { requests, limits })).toEqual([
      { id: 'a', at: AT },
      { id: 'b', at: AT, missing: 1 },
    ])
  })

  test.each<[string, Operation, Partial<TestFacts>, bigint[]]>([
    ['one person', receipt('eve', 45_00n), request(), [45_00n]],
    ['more than was asked', receipt('eve', 70_00n), request(), [70_00n]],
    [
      'the second with the amount of the first',
      receipt('bob', 45_00n),
      given(['eve', 45_00n]),
      [45_00n],
    ],
    [
      'two of three with one amount',
      receipt('bob', 45_00n),
      given(['ann', 50_00n], ['eve', 45_00n]),
      [45_00n],
    ],
    ['one of two', receipt('bob', 45_00n), request({ needed: 2 }), []],
  ])('credits what %s received', (_, operation, facts, amounts) => {
    const [verdict] = run([operation], facts)
    expect(verdict?.accepted?.transfers.map(({ amount }) => amount)).toEqual(amounts)
    expect(verdict?.outcome).toEqual({
      id: 'request',
      at: AT,
      ...(amounts.length === 0 && { missing: 1 }),
    })
  })

  test.each<[string, Operation, string, string]>([
    ['less', receipt('bob', 44_99n), 'amountDiffers', '4500'],
    ['more', receipt('bob', 45_01n), 'amountDiffers', '4500'],
    ['what was asked', confirmation('bob'), 'amountDiffers', '4500'],
  ])('refuses a second who received %s', (_, operation, refused, amount) => {
    const [verdict] = run([operation], given(['eve', 45_00n]))
    expect(verdict).toEqual({ outcome: { refused, amount }, keep: true })
  })

  test('holds two approvals of a group to one amount', () => {
    const group = [receipt('eve', 45_00n), receipt('bob', 46_00n), receipt('bob', 45_00n)]
    expect(outcomes(group, request({ needed: 2 })).map(told)).toEqual([
      'posted',
      'amountDiffers',
      'posted',
    ])
  })

  test('counts the amount received against the limits', () => {
    const limits = { ...nothing.limits, perPerson: cents(49_99n) }
    const missing = (amount: bigint) => outcomes([receipt('eve', amount)], { ...request(), limits })
    expect(missing(49_99n)).toEqual([{ id: 'request', at: AT }])
    expect(missing(50_01n)).toEqual([{ id: 'request', at: AT, missing: 1 }])
  })
})

test('a deposit answers with its wallet', () => {
  const deposit: DepositRequested = {
    movement: 'deposit_requested',
    by: { id: 'ada', from: 'tests' },
    id: 'deposit',
    amount: cents(1_00n),
    description: '',
  }
  const wallet = { walletId: 'wallet', address: 'there', networkName: 'Bitcoin' }
  expect(run([deposit], { wallets: new Map([[deposit, wallet]]) })).toMatchObject([
    { outcome: { address: 'there', networkName: 'Bitcoin' }, keep: true },
  ])
})
