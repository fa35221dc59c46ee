import { expect, test } from 'vitest'
import { offersOf, type StepFacts } from './steps.ts'

const me = { id: 'me', role: 'admin' }
const facts = (status: string, more: object = {}, rest: Partial<StepFacts> = {}): StepFacts => ({
  story: {
    loan: {
      status,
      borrowerAccounts: [] as readonly string[],
      nextDueOn: null,
      ...more,
    } as StepFacts['story']['loan'],
    refinancedById: null,
  },
  me,
  waiting: [],
  isAlone: false,
  ...rest,
})
const onOf = (asked: StepFacts) => offersOf(asked).flatMap(({ step, off }) => (off ? [] : [step]))
const offOf = (asked: StepFacts) =>
  Object.fromEntries(offersOf(asked).map((each) => [each.step, each.off]))

test.each([
  ['APPLIED', ['approve', 'close']],
  ['APPROVED', ['disburse', 'close']],
  ['SENDING', ['release']],
  ['DECLINED', []],
  ['ACTIVE', ['repay', 'payOff', 'newTerms', 'refinance', 'default']],
  ['DEFAULTED', ['repay', 'payOff', 'refinance']],
  ['REPAID', []],
  ['OF_A_NEWER_SERVER', []],
])('a loan that is %s offers %j', (status, steps) => {
  expect(onOf(facts(status))).toEqual(steps)
})

test('a repaid loan that owes interest is repaid again', () => {
  expect(onOf(facts('REPAID', { nextDueOn: '2026-01-01' }))).toEqual(['repay'])
})

test('only super admins ask for a write-off', () => {
  expect(offOf(facts('DEFAULTED')).writeOff).toBe('superAdmin')
  const asked = facts('DEFAULTED', {}, { me: { id: 'me', role: 'SUPER_ADMIN' } })
  expect(offOf(asked).writeOff).toBeNull()
})

test('the borrower of a loan takes no step of it', () => {
  expect(offOf(facts('ACTIVE', { borrowerAccounts: ['boss', 'me'] }))).toEqual({
    repay: 'own',
    payOff: 'own',
    newTerms: 'own',
    default: 'own',
    refinance: null,
  })
})

test('a step that waits is off and others are not', () => {
  const off = offOf(facts('ACTIVE', {}, { waiting: ['DEFAULT_LOAN'] }))
  expect(off).toMatchObject({ default: 'waits', newTerms: null, repay: null })
})

test('one person alone repays and asks nothing of two', () => {
  const off = offOf(facts('ACTIVE', {}, { isAlone: true }))
  expect(off).toMatchObject({ default: 'alone', newTerms: 'alone', repay: null })
})

test('a recovery ends with the sum that was lost', () => {
  const left = { writtenOff: 100, recovered: 99 }
  expect(onOf(facts('WRITTEN_OFF', left))).toEqual(['recover'])
  const off = offOf(facts('WRITTEN_OFF', { writtenOff: 100, recovered: 100 }))
  expect(off).toEqual({ recover: 'recovered' })
})

test('an application closes unless a step of it waits', () => {
  for (const waiting of [['DISBURSE_LOAN'], ['SEND_LOAN']])
    expect(offOf(facts('APPROVED', {}, { waiting }))).toEqual({ disburse: 'waits', close: 'waits' })
})

test('money of a loan in a batch is not freed', () => {
  expect(offOf(facts('SENDING', { sending: { batchId: 'b' } }))).toEqual({ release: 'batched' })
  expect(onOf(facts('SENDING', { sending: { batchId: null } }))).toEqual(['release'])
})
