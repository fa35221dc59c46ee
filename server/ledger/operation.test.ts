import { cents } from '@pool/contract/money'
import { expect, test } from 'vitest'
import { type Operation, operationRecord } from './operation.ts'

const by = { id: 'investor', from: 'tests' }
const id = 'cause'
const amount = cents(50_00n)
const asked = { by, id, amount, description: '' }
const decided = { by, id, amount, ownerId: 'owner', entry: { action: 'decided' } }
const invested = { id, principal: amount, interest: cents(2_00n) }

const operations = {
  deposit_requested: { ...asked, movement: 'deposit_requested' },
  deposit_confirmed: { ...decided, movement: 'deposit_confirmed' },
  withdrawal_held: {
    ...asked,
    movement: 'withdrawal_held',
    destinationAddress: '',
    destinationNetwork: '',
  },
  withdrawal_paid: { ...decided, movement: 'withdrawal_paid' },
  withdrawal_released: { ...decided, movement: 'withdrawal_released', reason: 'no' },
  investment_opened: {
    ...invested,
    movement: 'investment_opened',
    by,
    rateBasisPoints: 400,
    durationDays: 1,
    durationSeconds: 86_400,
    transactionId: 'row',
  },
  investment_matured: {
    ...invested,
    movement: 'investment_matured',
    ownerId: 'owner',
    payoutId: 'row',
  },
  capital_contributed: {
    movement: 'capital_contributed',
    id,
    amount,
    note: 'why',
    contributedBy: 'operator',
    entry: { action: 'contributed' },
  },
} as const satisfies { readonly [Name in Operation['movement']]: Operation & { movement: Name } }

test.each<[Operation['movement'], string | undefined, string[]]>([
  ['deposit_requested', 'investor', []],
  ['deposit_confirmed', 'owner', ['custody to available: 5000']],
  ['withdrawal_held', 'investor', ['available to held: 5000']],
  ['withdrawal_paid', 'owner', ['held to custody: 5000']],
  ['withdrawal_released', 'owner', ['held to available: 5000']],
  ['investment_opened', 'investor', ['available to invested: 5000', 'reserve to committed: 200']],
  ['investment_matured', 'owner', ['invested to available: 5000', 'committed to available: 200']],
  ['capital_contributed', undefined, ['operator to reserve: 5000']],
])('%s has its owner and its legs', (movement, owner, legs) => {
  const record = operationRecord(operations[movement])
  expect(record).toMatchObject({ movement, reference_id: 'cause' })
  expect(record.owner_id).toBe(owner)
  expect(
    record.legs.map(({ from_kind, to_kind, amount }) => `${from_kind} to ${to_kind}: ${amount}`),
  ).toEqual(legs)
  expect(record.legs.every(({ to_owner }) => to_owner === undefined)).toBe(true)
})

test.each<[Operation['movement'], object]>([
  ['deposit_confirmed', { decision: { status: 'APPROVED', reason: '' } }],
  ['withdrawal_paid', { decision: { status: 'APPROVED', reason: '' } }],
  ['withdrawal_released', { decision: { status: 'REJECTED', reason: 'no' } }],
  ['deposit_requested', { transaction: { type: 'deposit', status: 'PENDING', amount: '5000' } }],
  ['withdrawal_held', { transaction: { type: 'withdrawal', status: 'PENDING', amount: '5000' } }],
  ['investment_opened', { transaction: { type: 'investment', amount: '5000' } }],
  ['investment_matured', { completes: 'cause', transaction: { type: 'payout', amount: '5200' } }],
])('%s writes the rows of its state', (movement, rows) => {
  expect(operationRecord(operations[movement])).toMatchObject(rows)
})

test('a leg of no amount is left out', () => {
  const opened = { ...operations.investment_opened, interest: cents(0n) }
  expect(operationRecord(opened).legs).toMatchObject([{ from_kind: 'available' }])
})

test('a wrong combination does not compile', () => {
  const { entry: _, ...unrecorded } = operations.withdrawal_paid
  const { interest: __, ...unpromised } = operations.investment_opened
  const wrong: readonly Operation[] = [
    // @ts-expect-error: coins that arrive are paid to no address
    { ...operations.deposit_confirmed, payeeAddress: 'elsewhere' },
    // @ts-expect-error: coins that leave rest on no evidence
    { ...operations.withdrawal_paid, evidence: { network: 'Bitcoin', id: 'x' } },
    // @ts-expect-error: a decision goes on record
    unrecorded,
    // @ts-expect-error: interest is committed with the principal
    unpromised,
    // @ts-expect-error: a rejection has a reason
    { ...decided, movement: 'withdrawal_released' },
    // @ts-expect-error: an investor asks, for themselves
    { ...asked, movement: 'deposit_requested', by: undefined },
    // @ts-expect-error: a request decides nothing
    { ...operations.withdrawal_held, movement: 'withdrawal_paid' },
    // @ts-expect-error: capital belongs to no investor
    { ...operations.capital_contributed, ownerId: 'owner' },
  ]
  expect(wrong).toHaveLength(8)
})
