/** The names under which the ledger's accounts and movements of money cross the wire. */
import { z } from 'zod'
import { dollarsSchema } from './money.ts'
import { timestampSchema } from './timestamp.ts'

/**
 * An investor's accounts: what can be spent, what waiting withdrawals hold, and the principal at
 * work.
 */
export const investorAccounts = ['available', 'held', 'invested'] as const

/**
 * The pool's accounts: coins in its wallets (`custody`), capital put in (`operator`), what may pay
 * interest (`reserve`) and the committed interest (`committed`). Custody and operator may go below
 * zero: they are the world outside.
 */
export const poolAccounts = ['custody', 'operator', 'reserve', 'committed'] as const

export const accountKinds = [...investorAccounts, ...poolAccounts] as const
export type AccountKind = (typeof accountKinds)[number]

export const movementNames = [
  'deposit_requested',
  'deposit_confirmed',
  'withdrawal_held',
  'withdrawal_paid',
  'withdrawal_released',
  'investment_opened',
  'investment_matured',
  'capital_contributed',
] as const
export type MovementName = (typeof movementNames)[number]

/** A transfer of the ledger: an amount, in dollars, from one account to another. */
export const transferSchema = z.object({
  movement: z.enum(movementNames),
  from: z.enum(accountKinds),
  to: z.enum(accountKinds),
  amount: dollarsSchema,
  at: timestampSchema,
})
export type Transfer = z.infer<typeof transferSchema>
