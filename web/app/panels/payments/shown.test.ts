import { expect, test } from 'vitest'
import type { DepositPayment } from '../../api/chain/depositPayments.ts'
import { contradictionOf } from './shown.ts'

const ID = 'ab'.repeat(32)
const payment = (more: Partial<DepositPayment> = {}): DepositPayment => ({
  id: '1',
  evidence: `${ID}:0`,
  asset: 'BTC',
  amount: '0.004',
  state: 'CONFIRMED',
  depth: 6,
  needed: 6,
  seenAt: new Date(0),
  dollars: 250.1,
  ...more,
})
const second = payment({ id: '2', evidence: `${ID}:3`, dollars: 0.2 })

test.each([
  ['nothing typed', [], '', 250.1, null],
  ['the output', [payment(), second], ` ${ID.toUpperCase()}:0 `, 250.1, null],
  ['all outputs of the transaction', [payment(), second], ID, 250.3, null],
  ['another transaction', [payment()], 'cd'.repeat(32), 250.1, { why: 'unseen' }],
  ['a payment in few blocks', [payment({ state: 'SEEN' })], ID, 250.1, { why: 'unconfirmed' }],
  ['a replaced payment', [payment({ state: 'REPLACED' })], ID, 250.1, { why: 'gone' }],
  ['a coin without a rate', [payment({ dollars: null })], ID, 250.1, { why: 'unpriced' }],
  ['another amount', [payment()], ID, 250, { why: 'differs', shown: 250.1 }],
  ['an amount that is missing', [payment()], ID, null, { why: 'differs', shown: 250.1 }],
])('a confirmation by %s is compared', (_, payments, evidence, amount, expected) => {
  expect(contradictionOf(payments, { evidence, amount })).toEqual(expected)
})
