import { cents } from '@pool/contract/base/money'
import { expect, test } from 'vitest'
import { POOL_OWNER } from '../families/accounts.ts'
import type { Leg, Movement } from '../families/movement.ts'
import { companionMovements, movements, type Operation } from '../families/movements.ts'
import { companionOf, legsOf, ownerOf } from './operation.ts'

const by = { id: 'investor', from: 'tests' }
const id = 'cause'
const amount = cents(50_00n)
const asked = { by, id, amount, description: '' }
const decided = { by, id, amount, ownerId: 'owner', entry: { action: 'decided' } }
const invested = { id, principal: amount, interest: cents(2_00n) }

const byProduct = { id, ownerId: 'owner', amount, entry: { action: 'taken back' } }
const ofFee = { id, movementId: 'coins', amount, entry: { action: 'paid' } }
const operations = {
  deposit_requested: { ...asked, movement: 'deposit_requested' },
  deposit_confirmed: { ...decided, movement: 'deposit_confirmed' },
  withdrawal_held: {
    ...asked,
    movement: 'withdrawal_held',
    fee: cents(0n),
    paidOn: undefined,
    destinationAddress: '',
    destinationNetwork: '',
  },
  withdrawal_approved: { ...decided, movement: 'withdrawal_approved' },
  withdrawal_completed: { ...decided, movement: 'withdrawal_completed' },
  withdrawal_returned: {
    ...byProduct,
    movement: 'withdrawal_returned',
    returnId: 'proposal',
    reason: 'Never sent',
  },
  withdrawal_released: { ...decided, movement: 'withdrawal_released', reason: 'no' },
  deposit_rejected: { ...decided, movement: 'deposit_rejected', reason: 'no' },
  investment_opened: {
    ...invested,
    movement: 'investment_opened',
    by,
    rateBasisPoints: 400,
    durationDays: 1,
    durationSeconds: 86_400,
    planId: 'plan',
    least: cents(1n),
    isCapped: false,
  },
  investment_matured: {
    ...invested,
    movement: 'investment_matured',
    ownerId: 'owner',
    payoutId: 'row',
    returned: amount,
  },
  capital_contributed: {
    movement: 'capital_contributed',
    id,
    amount,
    note: 'why',
    contributedBy: 'operator',
    entry: { action: 'contributed' },
  },
  deposit_reversed: { ...byProduct, movement: 'deposit_reversed', paymentId: id, basis: 'gone' },
  claim_collected: { ...byProduct, movement: 'claim_collected', claimId: id },
  claim_written_off: { ...byProduct, movement: 'claim_written_off', claimId: id },
  loan_disbursed: {
    movement: 'loan_disbursed',
    id,
    loanId: id,
    principal: amount,
    lines: [],
    disbursedOn: '2026-01-31',
    networkName: 'Bitcoin',
    evidence: 'x',
    entry: {},
    concentration: 10,
    fromInvestors: cents(0n),
    capital: amount,
    collectionRate: null,
  },
  loan_repaid: {
    movement: 'loan_repaid',
    id,
    loanId: id,
    by,
    amount,
    reference: 'R-1',
    entry: {},
    valueOn: '2026-01-31',
  },
  loan_repayment_reversed: {
    movement: 'loan_repayment_reversed',
    id,
    loanId: id,
    by,
    repaymentId: id,
    entry: {},
    reason: 'Wrong',
  },
  loan_defaulted: {
    movement: 'loan_defaulted',
    id,
    loanId: id,
    reason: 'daysPastDue',
    entry: {},
    tolerance: cents(1_00n),
  },
  loan_written_off: {
    movement: 'loan_written_off',
    id,
    loanId: id,
    principal: amount,
    entry: {},
    fromInvestors: cents(20_00n),
    pausing: [],
    capital: cents(30_00n),
    covered: cents(15_00n),
    lost: cents(5_00n),
  },
  loss_covered: { movement: 'loss_covered', id, lossId: id, amount, entry: {}, resuming: [] },
  loss_shared: { movement: 'loss_shared', id, lossId: id, amount, entry: {}, resuming: [] },
  loan_recovered: {
    movement: 'loan_recovered',
    id,
    loanId: id,
    recovered: amount,
    entry: {},
    valueOn: '2026-01-31',
    reference: 'R-2',
    fromInvestors: cents(0n),
    recordedBy: id,
    kept: amount,
  },
  loan_recovery_reversed: {
    movement: 'loan_recovery_reversed',
    id,
    loanId: id,
    by,
    repaymentId: id,
    entry: {},
    reason: 'Wrong',
  },
  loan_reserved: {
    movement: 'loan_reserved',
    id,
    proposalId: id,
    loanId: id,
    principal: amount,
    lines: [],
    networkName: 'Bitcoin',
    address: 'a',
    concentration: 25,
    collectionRate: null,
    entry: {},
    fromInvestors: cents(0n),
    capital: amount,
  },
  loan_sent: {
    movement: 'loan_sent',
    id,
    sendingId: id,
    loanId: id,
    principal: amount,
    lines: [],
    networkName: 'Bitcoin',
    evidence: 'e',
    output: 0,
    disbursedOn: '2026-01-01',
    entry: {},
    capital: amount,
  },
  loan_released: {
    movement: 'loan_released',
    id,
    proposalId: id,
    loanId: id,
    capital: amount,
    entry: {},
  },
  loan_restructured: {
    movement: 'loan_restructured',
    id,
    loanId: id,
    isDistressed: true,
    entry: {},
    terms: {
      kind: 'annuity',
      rateBasisPoints: 500,
      period: 'weekly',
      dayCount: 'act365',
      instalments: 1,
      dueDay: 1,
      firstDueOn: { on: '2026-01-31', number: 0, of30: 0 },
    },
  },
  capital_withdrawn: {
    movement: 'capital_withdrawn',
    id,
    amount: cents(50_00n),
    networkName: 'Bitcoin',
    address: 'own',
    entry: {},
  },
  network_fee_paid: { ...ofFee, movement: 'network_fee_paid' },
  network_fee_returned: { ...ofFee, movement: 'network_fee_returned' },
} as const satisfies { readonly [Name in Operation['movement']]: Operation & { movement: Name } }

test.each<[Operation['movement'], string | undefined, string[]]>([
  ['deposit_requested', 'investor', []],
  ['deposit_confirmed', 'owner', ['custody to available: 5000']],
  ['deposit_rejected', 'owner', []],
  ['withdrawal_held', 'investor', ['available to held: 5000']],
  ['withdrawal_approved', 'owner', ['held to outgoing: 5000']],
  ['withdrawal_completed', 'owner', ['outgoing to custody: 5000']],
  ['withdrawal_returned', 'owner', ['outgoing to available: 5000']],
  ['withdrawal_released', 'owner', ['held to available: 5000']],
  ['investment_opened', 'investor', ['available to invested: 5000', 'reserve to committed: 200']],
  ['investment_matured', 'owner', ['invested to available: 5000', 'committed to available: 200']],
  ['capital_contributed', undefined, ['custody to reserve: 5000']],
  ['capital_withdrawn', undefined, ['reserve to custody: 5000']],
  ['deposit_reversed', 'owner', ['claims to custody: 5000']],
  ['claim_collected', 'owner', ['available to claims: 5000']],
  ['claim_written_off', 'owner', ['reserve to claims: 5000']],
  ['loan_disbursed', undefined, ['loans to custody: 5000', 'reserve to deployed: 5000']],
  ['loan_defaulted', undefined, []],
  ['loan_written_off', undefined, ['deployed to loans: 3000', 'reserve to loans: 1500']],
  ['loss_covered', undefined, ['reserve to loss: 5000']],
  ['loss_shared', undefined, ['invested to loss: 5000']],
  ['loan_recovered', undefined, ['custody to reserve: 5000']],
  ['loan_reserved', undefined, ['reserve to sending: 5000']],
  ['loan_sent', undefined, ['loans to custody: 5000', 'sending to deployed: 5000']],
  ['loan_released', undefined, ['sending to reserve: 5000']],
  ['loan_restructured', undefined, []],
  ['network_fee_paid', undefined, ['reserve to custody: 5000']],
  ['network_fee_returned', undefined, ['custody to reserve: 5000']],
])('%s has its owner and its legs', (movement, owner, legs) => {
  const operation: Operation = operations[movement]
  expect(ownerOf(operation)).toBe(owner)
  expect(
    legsOf(operation).map(({ from, to, amount }) => `${from.kind} to ${to.kind}: ${amount}`),
  ).toEqual(legs)
  const isInvestors = (kind: string) => ['available', 'held', 'invested'].includes(kind)
  // A shared loss names no investor: a trigger moves each part.
  const named = movement === 'loss_shared' ? POOL_OWNER : owner
  for (const account of legsOf(operation).flatMap(({ from, to }) => [from, to]))
    expect(account.owner).toBe(isInvestors(account.kind) ? named : POOL_OWNER)
})

test('a movement also posts another with amounts of its rule', () => {
  const found = { principal: cents(40_00n), capital: cents(25_00n), interest: cents(10_00n) }
  const shown = (from: string, to: string, amount: bigint) => ({
    from: { kind: from },
    to: { kind: to },
    amount,
  })
  expect(legsOf(operations.loan_repaid, found)).toMatchObject([
    shown('custody', 'loans', 40_00n),
    shown('deployed', 'reserve', 25_00n),
  ])
  expect(companionOf(operations.loan_repaid, found)).toMatchObject({
    name: 'loan_interest_received',
    leg: shown('custody', 'reserve', 10_00n),
  })
  expect(companionOf(operations.loan_repayment_reversed, found)).toMatchObject({
    name: 'loan_interest_reversed',
    leg: shown('reserve', 'custody', 10_00n),
  })
  expect(companionOf(operations.loan_written_off)).toMatchObject({
    name: 'loan_lost',
    leg: shown('loss', 'loans', 5_00n),
  })
  expect(companionOf(operations.loan_repaid, { ...found, interest: cents(0n) })).toBeUndefined()
  const fee = cents(7_00n)
  expect(companionOf({ ...operations.withdrawal_held, fee })).toMatchObject({
    name: 'withdrawal_fee_borne',
    leg: shown('available', 'held', 7_00n),
  })
  for (const ended of [operations.withdrawal_released, operations.withdrawal_returned])
    expect(companionOf(ended, { fee })).toMatchObject({
      name: 'withdrawal_fee_returned',
      leg: shown('held', 'available', 7_00n),
    })
  expect(companionOf(operations.withdrawal_held)).toBeUndefined()
  expect(companionOf(operations.capital_contributed)).toBeUndefined()
})

test('promises come from the reserve, fed by these alone', () => {
  const all = [...Object.entries(movements), ...Object.entries(companionMovements)]
  const sourcesOf = (target: string) =>
    all.flatMap(([name, { legs }]: readonly [string, { readonly legs: readonly Leg[] }]) =>
      legs.filter(({ to }) => to === target).map(({ from }) => `${name} from ${from}`),
    )
  expect(sourcesOf('committed')).toEqual(['investment_opened from reserve'])
  expect(sourcesOf('reserve').sort()).toEqual([
    'capital_contributed from custody',
    'loan_interest_received from custody',
    'loan_recovered from custody',
    'loan_released from sending',
    'loan_repaid from deployed',
    'network_fee_returned from custody',
    'withdrawal_fee_kept from held',
  ])
  expect(sourcesOf('deployed').sort()).toEqual([
    'loan_disbursed from reserve',
    'loan_repayment_reversed from reserve',
    'loan_sent from sending',
  ])
  expect(sourcesOf('sending')).toEqual(['loan_reserved from reserve'])
  // Capital bears a loss, or what is invested does. Nothing of it becomes interest.
  expect(sourcesOf('loss')).toEqual(['loss_covered from reserve', 'loss_shared from invested'])
  expect(sourcesOf('loans').sort()).toEqual([
    'loan_lost from loss',
    'loan_repaid from custody',
    'loan_written_off from deployed',
    'loan_written_off from reserve',
  ])
})

test('a leg of no amount is left out', () => {
  const opened = { ...operations.investment_opened, interest: cents(0n) }
  expect(legsOf(opened)).toMatchObject([{ from: { kind: 'available' } }])
})

test('a wrong combination does not compile', () => {
  const { entry: _, ...unrecorded } = operations.withdrawal_approved
  const { interest: __, ...unpromised } = operations.investment_opened
  const wrong: readonly Operation[] = [
    // @ts-expect-error: coins that arrive are paid to no address
    { ...operations.deposit_confirmed, payeeAddress: 'elsewhere' },
    // @ts-expect-error: coins that leave rest on no evidence
    { ...operations.withdrawal_approved, evidence: { network: 'Bitcoin', id: 'x' } },
    // @ts-expect-error: a decision goes on record
    unrecorded,
    // @ts-expect-error: interest is committed with the principal
    unpromised,
    // @ts-expect-error: a rejection has a reason
    { ...decided, movement: 'withdrawal_released' },
    // @ts-expect-error: an investor asks, for themselves
    { ...asked, movement: 'deposit_requested', by: undefined },
    // @ts-expect-error: a request decides nothing
    { ...operations.withdrawal_held, movement: 'withdrawal_approved' },
    // @ts-expect-error: capital belongs to no investor
    { ...operations.capital_contributed, ownerId: 'owner' },
  ]
  expect(wrong).toHaveLength(8)
})

test('a movement without its expectation does not compile', () => {
  type Capital = typeof operations.capital_contributed
  const { legs, expected, reads } = movements.capital_contributed
  const [leg] = legs
  const rule = () => ({})
  const written: readonly Movement<Capital>[] = [
    { legs: [], reads, rule },
    { legs: [leg, leg], expected, reads, rule },
    // @ts-expect-error: the check must know which rows cause it
    { legs, reads, rule },
    // @ts-expect-error: a row of movements holds two transfers
    { legs: [leg, leg, leg], expected, reads, rule },
    // @ts-expect-error: the operation names no principal
    { legs: [{ ...leg, moves: 'principal' }], expected, reads, rule },
    // @ts-expect-error: a movement of no legs is caused by no row
    { legs: [], expected, reads, rule },
  ]
  expect(written).toHaveLength(6)
})
