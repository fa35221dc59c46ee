import { expect, test } from 'vitest'
import { choicesFor } from './choices.ts'

const said = (person: Partial<Parameters<typeof choicesFor>[0]>) =>
  choicesFor({ roles: ['USER'], isSuspended: false, hasFactor: false, open: [], ...person }).map(
    ({ kind, role }) => `${kind} ${role ?? ''}`.trim(),
  )

test('an investor may get every role of staff', () => {
  expect(said({})).toEqual([
    'REVOKE USER',
    'GRANT ADMIN',
    'GRANT AUDITOR',
    'GRANT SUPER_ADMIN',
    'SUSPEND',
  ])
})

test('an auditor is offered no other staff role', () => {
  expect(said({ roles: ['AUDITOR'] })).toEqual(['GRANT USER', 'REVOKE AUDITOR', 'SUSPEND'])
})

test('staff are not offered the role of auditors', () => {
  expect(said({ roles: ['ADMIN', 'USER'] })).toEqual([
    'REVOKE USER',
    'REVOKE ADMIN',
    'GRANT SUPER_ADMIN',
    'SUSPEND',
  ])
})

test('a suspended account is offered to be resumed', () => {
  expect(said({ roles: [], isSuspended: true }).at(-1)).toBe('RESUME')
})

test('only lost factors can be reset', () => {
  expect(said({})).not.toContain('RESET_FACTORS')
  expect(said({ hasFactor: true }).at(-1)).toBe('RESET_FACTORS')
})

test('changes that wait are not offered again', () => {
  const open = [
    { kind: 'GRANT', facts: { role: 'ADMIN' } },
    { kind: 'SUSPEND', facts: {} },
  ]
  expect(said({ open })).toEqual(['REVOKE USER', 'GRANT AUDITOR', 'GRANT SUPER_ADMIN'])
})
