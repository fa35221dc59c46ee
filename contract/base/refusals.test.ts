import { expect, test } from 'vitest'
import { type Refusal, type RefusalData, refusal, refusalFrom } from './refusals.ts'
import * as validation from './validation.ts'

const sent = ({ code, status, message, field, details }: Refusal) => ({
  code,
  status,
  message,
  field,
  details,
})

test('a refusal carries the facts of its sentence', () => {
  expect(sent(refusal('insufficientFunds', { balance: 12.5 }))).toEqual({
    code: 'insufficientFunds',
    status: 409,
    message: 'Amount cannot exceed your balance of $12.50',
    field: undefined,
    details: { balance: 12.5 },
  })
  expect(refusal('payeeTooNew', { from: [2026, 1, 31, 12, 0, 0, 1_000_000] }).message).toContain(
    'from 2026-01-31 12:01 UTC',
  )
})

test('the field at fault stands beside the details', () => {
  const refused = refusal('invalidAddress', { network: 'Bitcoin', field: 'address' })
  expect(sent(refused)).toMatchObject({ field: 'address', details: { network: 'Bitcoin' } })
})

test('a broken rule is sent by its name', () => {
  const facts = { message: validation.emailInvalid, field: 'username' }
  expect(sent(refusal('validation', facts))).toMatchObject({
    message: validation.emailInvalid,
    field: 'username',
    details: { rule: 'emailInvalid' },
  })
  expect(refusal('validation', { message: 'Invalid input' }).details).toBeUndefined()
})

test('a refusal without facts has no details', () => {
  expect(refusal('emailTaken').details).toBeUndefined()
})

test('a refusal is made from data by its code', () => {
  expect(sent(refusalFrom({ refused: 'emailTaken' }) as Refusal)).toEqual(
    sent(refusal('emailTaken')),
  )
  const facts = { name: 'deposits', reason: 'Audit' } as const
  expect(sent(refusalFrom({ refused: 'paused', ...facts } as RefusalData) as Refusal)).toEqual(
    sent(refusal('paused', facts)),
  )
  expect(refusalFrom({ refused: 'toString' })).toBeUndefined()
})
