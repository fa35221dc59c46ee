import type { DepositPayment } from '../../api/chain/depositPayments.ts'
import { stateOf } from './PaymentState.tsx'

/** Why the chain does not show what a confirmation would credit. */
export type Contradiction =
  | { readonly why: 'unseen' | 'unconfirmed' | 'gone' | 'unpriced' }
  /** The dollars that the payment counts as. */
  | { readonly why: 'differs'; readonly shown: number }

type Confirmation = {
  /** As typed. */
  readonly evidence: string
  /** The dollars to credit. */
  readonly amount: number | null
}

const gone: readonly string[] = ['REPLACED', 'DROPPED', 'REVERSED']

/**
 * Compares a confirmation with the payments to the deposit's address. Null if they agree, and
 * before any evidence is typed. The server compares again.
 */
export const contradictionOf = (
  payments: readonly DepositPayment[],
  { evidence, amount }: Confirmation,
): Contradiction | null => {
  const typed = evidence.trim().toLowerCase()
  if (typed === '') return null
  const named = payments.filter(
    (payment) => payment.evidence === typed || payment.evidence.split(':')[0] === typed,
  )
  if (named.length === 0) return { why: 'unseen' }
  if (named.some((payment) => gone.includes(stateOf(payment)))) return { why: 'gone' }
  if (named.some((payment) => stateOf(payment) !== 'CONFIRMED')) return { why: 'unconfirmed' }
  if (named.some(({ dollars }) => dollars === null)) return { why: 'unpriced' }
  const cents = named.reduce((sum, { dollars }) => sum + Math.round((dollars ?? 0) * 100), 0)
  return amount !== null && cents === Math.round(amount * 100)
    ? null
    : { why: 'differs', shown: cents / 100 }
}
