/** The names of the ledger's accounts and movements on the wire. */
import { z } from 'zod'
import { dollarsSchema } from '../base/money.ts'
import { timestampSchema } from '../base/timestamp.ts'

/** An investor's accounts: the spendable balance, withdrawals held, and principal at work. */
export const investorAccounts = ['available', 'held', 'invested'] as const

/**
 * The pool's accounts: coins, the free reserve, committed interest, debts, approved withdrawals,
 * coins of borrowers, the capital that works there, open losses, capital for batches.
 */
export const poolAccounts = [
  'custody',
  'reserve',
  'committed',
  'claims',
  'outgoing',
  'loans',
  'deployed',
  'loss',
  'sending',
] as const

export const accountKinds = [...investorAccounts, ...poolAccounts] as const
export type AccountKind = (typeof accountKinds)[number]

/** They move together with another movement. */
export const companionMovementNames = [
  'loan_interest_received',
  'loan_interest_reversed',
  'loan_lost',
  'loss_returned',
  'withdrawal_fee_borne',
  'withdrawal_fee_kept',
  'withdrawal_fee_returned',
] as const
export type CompanionMovement = (typeof companionMovementNames)[number]

export const movementNames = [
  'deposit_requested',
  'deposit_confirmed',
  'deposit_rejected',
  'withdrawal_held',
  'withdrawal_approved',
  'withdrawal_completed',
  'withdrawal_returned',
  'withdrawal_released',
  'investment_opened',
  'investment_matured',
  'capital_contributed',
  'capital_withdrawn',
  'deposit_reversed',
  'claim_collected',
  'claim_written_off',
  'loan_disbursed',
  'loan_reserved',
  'loan_sent',
  'loan_released',
  'loan_repaid',
  'loan_repayment_reversed',
  'loan_defaulted',
  'loan_written_off',
  'loan_recovered',
  'loan_recovery_reversed',
  'loan_restructured',
  'loss_covered',
  'loss_shared',
  ...companionMovementNames,
  'network_fee_paid',
  'network_fee_returned',
] as const
export type MovementName = (typeof movementNames)[number]

/** A transfer of the ledger, in dollars. */
export const transferSchema = z.object({
  movement: z.enum(movementNames),
  from: z.enum(accountKinds),
  to: z.enum(accountKinds),
  amount: dollarsSchema,
  at: timestampSchema,
})
export type Transfer = z.infer<typeof transferSchema>
