/** The pool's chart of accounts, as an accountant reads it (docs/statements.md, "The books"). */
import { type AccountKind, accountKinds } from '@pool/contract/money/ledger'

export type AccountClass = 'asset' | 'liability' | 'equity'

type Account = {
  readonly class: AccountClass
  /** The side that makes it larger. */
  readonly side: 'debit' | 'credit'
  readonly means: string
}

/** The ledger counts credits as positive, so an account of debits is below zero in it. */
export const chart = {
  custody: { class: 'asset', side: 'debit', means: 'coins of the pool' },
  claims: { class: 'asset', side: 'debit', means: 'debts of investors after a deposit went' },
  loans: { class: 'asset', side: 'debit', means: 'principal that borrowers owe' },
  available: { class: 'liability', side: 'credit', means: 'what investors can spend' },
  held: { class: 'liability', side: 'credit', means: 'withdrawals that wait, and shares of fees' },
  outgoing: { class: 'liability', side: 'credit', means: 'approved withdrawals on their way' },
  invested: { class: 'liability', side: 'credit', means: 'principal of active investments' },
  committed: { class: 'liability', side: 'credit', means: 'interest that is set aside' },
  reserve: { class: 'equity', side: 'credit', means: 'free reserve' },
  sending: { class: 'equity', side: 'credit', means: 'capital that is reserved for batches' },
  deployed: { class: 'equity', side: 'credit', means: 'capital that works in loans' },
  loss: { class: 'equity', side: 'debit', means: 'losses that nobody bears yet' },
} as const satisfies Readonly<Record<AccountKind, Account>>

/** In the order of the chart. */
export const chartKinds = accountKinds.toSorted((one, other) => placeOf(one) - placeOf(other))

function placeOf(kind: AccountKind): number {
  return Object.keys(chart).indexOf(kind)
}
