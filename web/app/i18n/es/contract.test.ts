import * as english from '@pool/contract/base/messages'
import * as rules from '@pool/contract/base/validation'
import { keyProblems } from '@pool/contract/chain/addressKeys'
import { expect, test, vi } from 'vitest'
import { firstApprovalText, refusalText } from '../narrations.ts'
import { keyProblems as spanishProblems } from './keyProblems.ts'
import * as spanish from './messages.ts'
import * as validation from './validation.ts'

// The Spanish build does the same (web/compileMessages.ts).
vi.mock('../en/narrations.ts', () => import('./narrations.ts'))

test('every sentence of the contract exists in Spanish', () => {
  expect(Object.keys(spanish).sort()).toEqual(Object.keys(english).sort())
  expect(Object.keys(validation).sort()).toEqual(Object.keys(rules).sort())
  expect(Object.keys(spanishProblems)).toEqual(Object.keys(keyProblems))
})

test('a refusal is translated by code and details', () => {
  expect(refusalText('emailTaken', null)).toMatch(/^Ya existe una cuenta/)
  expect(refusalText('insufficientFunds', { balance: 12.5 })).toMatch(/ de \$12\.50$/)
  expect(refusalText('alreadyDecided', { status: 'EXPIRED' })).toMatch(/^Esta transacción ya está /)
  expect(refusalText('validation', { rule: 'emailInvalid' })).toBe(validation.emailInvalid)
  expect(firstApprovalText('OK')).toBe(spanish.succeeded.firstApproval)
})

test.each([
  ['no code', null, null],
  ['an unknown code', 'toString', {}],
  ['a code without its details', 'insufficientFunds', null],
  ['a rule without a name', 'validation', {}],
])('%s keeps the sentence of the server', (_, code, details) => {
  expect(refusalText(code, details)).toBeUndefined()
})
