import { expect, test } from 'vitest'
import { movements } from './movements.ts'

/** Guards of the rules that a proposal's own guard stands before, so that no call reaches them. */

type Rule = (operation: object, states: object, at: Date) => { readonly refused?: string }
const refusedOf = (name: keyof typeof movements, operation: object, states: object) =>
  (movements[name].rule as unknown as Rule)(operation, states, new Date()).refused

const id = 'of no proposal'
const loan = { principal: 100n, fromInvestors: 10n, outstanding: 100n, instalments: [] }
const ofLoan = (status: string) => new Map([['loan', { ...loan, status }]])
const lent = { id, loanId: 'loan', principal: 100n, fromInvestors: 10n }
/** An agreement about the same loan, of another kind. */
const agreed = new Map([[id, { kind: 'APPROVE_LOAN', subject: 'loan' }]])
const ofNone = new Set<string>()

test.each<[keyof typeof movements, object, object]>([
  ['capital_withdrawn', { id }, { reserved: { agreed: ofNone } }],
  ['claim_written_off', { id, claimId: 'claim' }, { agreed: new Map(), claims: new Map() }],
  [
    'withdrawal_returned',
    { id: 'request', ownerId: 'owner', amount: 5n, returnId: id },
    {
      payouts: new Map([['request', { ownerId: 'owner', amount: 5n, status: 'APPROVED' }]]),
      agreed: new Map([[id, 'another request']]),
    },
  ],
  ['loan_disbursed', lent, { loans: ofLoan('APPROVED'), agreed }],
  ['loan_reserved', { ...lent, proposalId: id }, { loans: ofLoan('APPROVED'), agreed }],
  [
    'loan_released',
    { ...lent, proposalId: id },
    {
      loans: ofLoan('SENDING'),
      agreed,
      loanPayouts: new Map([[id, { loanId: 'loan', status: 'OPEN', isConfirmed: false }]]),
    },
  ],
  ['loan_defaulted', { ...lent, reason: 'unlikely' }, { loans: ofLoan('ACTIVE'), agreed }],
  ['loan_written_off', lent, { loans: ofLoan('DEFAULTED'), agreed }],
  ['loan_restructured', lent, { loans: ofLoan('ACTIVE'), agreed }],
  ['loan_recovered', lent, { loans: ofLoan('WRITTEN_OFF'), agreed }],
  ['loss_covered', { id, lossId: 'loss', amount: 5n }, { agreed: ofNone, open: {} }],
  ['loss_shared', { id, lossId: 'loss', amount: 5n }, { agreed: ofNone, open: {} }],
])('%s needs an agreement of its own', (name, operation, states) => {
  expect(refusedOf(name, operation, states)).toBe('proposalClosed')
})

test.each(['loan_disbursed', 'loan_reserved'] as const)('%s is of the sum on record', (name) => {
  for (const other of [{ principal: 99n }, { fromInvestors: 9n }])
    expect(
      refusedOf(name, { ...lent, ...other }, { loans: ofLoan('APPROVED'), agreed: new Map() }),
    ).toBe('loanNotFound')
})
