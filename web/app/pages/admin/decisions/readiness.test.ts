import { expect, test } from 'vitest'
import { type Decidable, type Decider, readiness } from './readiness.ts'

const NOW = new Date('2026-03-05T12:00:00Z')
const LATER = new Date('2026-03-06T12:00:00Z')
const ME = 'ann@example.com'

const payee = {
  address: '0x52908400098527886e0f7030069857d2e4169ee7',
  networkName: 'Polygon',
  since: NOW,
  firstNamed: NOW,
  usableFrom: NOW,
}
const withdrawal: Decidable = {
  type: 'withdrawal',
  status: 'PENDING',
  amount: 50,
  approvals: [],
  payee,
  networkName: null,
  flags: [],
}
const deposit: Decidable = { ...withdrawal, type: 'deposit', payee: null }
const me: Decider = { email: ME, mayWrite: true, isLive: false, now: NOW }
const live: Decider = { ...me, isLive: true }

const approvedBy = (username: string, amount = 50) => ({
  approvals: [{ username, amount, at: NOW }],
})

type Expected = {
  readonly hindrances?: readonly string[]
  readonly canReject?: false
  /** It can be approved, and the approval needs more than the press. */
  readonly needsMore?: true
}

test.each<[string, Decidable, Decider, Expected]>([
  ['a withdrawal to a known address', withdrawal, me, {}],
  ['a live withdrawal to a known address', withdrawal, live, {}],
  [
    'a withdrawal to a place without an address',
    { ...withdrawal, payee: null },
    me,
    { needsMore: true },
  ],
  ['a withdrawal that another person approved', { ...withdrawal, ...approvedBy('bob') }, me, {}],
  [
    'a withdrawal that I approved',
    { ...withdrawal, ...approvedBy(ME) },
    me,
    { hindrances: ['approvedByMe'] },
  ],
  [
    'a withdrawal of a frozen account',
    { ...withdrawal, flags: ['ownerFrozen'] },
    me,
    { hindrances: ['ownerFrozen'] },
  ],
  [
    'a withdrawal of a suspended account',
    { ...withdrawal, flags: ['ownerSuspended'] },
    me,
    { hindrances: ['ownerSuspended'] },
  ],
  ['a withdrawal with another flag', { ...withdrawal, flags: ['poolWallet'] }, me, {}],
  [
    'a withdrawal to a new address',
    { ...withdrawal, payee: { ...payee, usableFrom: LATER } },
    me,
    { hindrances: ['newAddress'] },
  ],
  [
    'a live withdrawal on no network',
    { ...withdrawal, payee: { ...payee, networkName: '' } },
    live,
    { hindrances: ['noNetwork'] },
  ],
  ['the same in a sandbox', { ...withdrawal, payee: { ...payee, networkName: '' } }, me, {}],
  [
    'a decided withdrawal',
    { ...withdrawal, status: 'APPROVED' },
    me,
    { hindrances: ['closed'], canReject: false },
  ],
  ['a payout', { ...withdrawal, type: 'payout' }, me, { hindrances: ['closed'], canReject: false }],
  [
    'a withdrawal before an auditor',
    withdrawal,
    { ...me, mayWrite: false },
    { hindrances: ['readOnly'], canReject: false },
  ],
  [
    'a withdrawal with two hindrances',
    { ...withdrawal, ...approvedBy(ME), flags: ['ownerFrozen'] },
    me,
    { hindrances: ['approvedByMe', 'ownerFrozen'] },
  ],
  ['a deposit', deposit, me, {}],
  ['a live deposit, which needs evidence', deposit, live, { needsMore: true }],
  [
    'a deposit that I approved',
    { ...deposit, ...approvedBy(ME) },
    me,
    { hindrances: ['approvedByMe'] },
  ],
  ['a deposit approved with the same amount', { ...deposit, ...approvedBy('bob') }, me, {}],
  [
    'a deposit approved with another amount',
    { ...deposit, ...approvedBy('bob', 40) },
    me,
    { needsMore: true },
  ],
])(
  'readiness of %s is answered once',
  (_, request, decider, { hindrances = [], canReject = true, needsMore }) => {
    const canApprove = hindrances.length === 0
    expect(readiness(request, decider)).toMatchObject({
      hindrances,
      canApprove,
      canReject,
      isReady: canApprove && !needsMore,
    })
  },
)

test('an auditor walks through the requests that wait', () => {
  const auditor = { ...me, email: 'eve@example.com', mayWrite: false }
  expect(readiness(withdrawal, auditor)).toMatchObject({ isOpen: true, waitsForMe: true })
  expect(readiness({ ...withdrawal, status: 'REJECTED' }, auditor).waitsForMe).toBe(false)
  expect(readiness({ ...withdrawal, ...approvedBy(ME) }, me).waitsForMe).toBe(false)
})
