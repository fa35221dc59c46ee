/**
 * Every movement of money. The engine, the job that pays maturities and the ledger's check read
 * this table.
 */
import type { CompanionMovement, MovementName } from '@pool/contract/money/ledger'
import { type CapitalOperation, capital } from './capital.ts'
import { type ClaimOperation, claimMovements } from './claims.ts'
import { type DepositOperation, deposits } from './deposits.ts'
import { type DisbursementOperation, disbursementMovements } from './disbursements.ts'
import { companionsOfWithdrawals } from './feeShares.ts'
import { type InvestmentOperation, investments } from './investments.ts'
import { type LateLoanOperation, lateLoanMovements } from './lateLoans.ts'
import { companionsOfLoans, type LoanOperation, loanMovements } from './loans.ts'
import { companionsOfLosses, type LossOperation, lossMovements } from './losses.ts'
import type { CompanionRule, Movement } from './movement.ts'
import { type NetworkFeeOperation, networkFeeMovements } from './networkFees.ts'
import { type PayoutOperation, payoutMovements } from './payouts.ts'
import { type RecoveryOperation, recoveryMovements } from './recoveries.ts'
import { type WithdrawalOperation, withdrawals } from './withdrawals.ts'

/** A movement of money and the rows that change with it. Done as a whole or refused. */
export type Operation =
  | DepositOperation
  | WithdrawalOperation
  | PayoutOperation
  | InvestmentOperation
  | CapitalOperation
  | ClaimOperation
  | DisbursementOperation
  | LoanOperation
  | LateLoanOperation
  | RecoveryOperation
  | LossOperation
  | NetworkFeeOperation

export const movements = {
  ...deposits,
  ...withdrawals,
  ...payoutMovements,
  ...investments,
  ...capital,
  ...claimMovements,
  ...networkFeeMovements,
  ...disbursementMovements,
  ...loanMovements,
  ...lateLoanMovements,
  ...recoveryMovements,
  ...lossMovements,
} satisfies Readonly<Record<Exclude<MovementName, CompanionMovement>, Movement<never>>>

/** The movements that others bring. */
export const companionMovements: Readonly<Record<CompanionMovement, CompanionRule>> = {
  ...companionsOfLoans,
  ...companionsOfLosses,
  ...companionsOfWithdrawals,
}
