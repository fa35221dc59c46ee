/**
 * Every movement of money. The engine, the job that pays maturities and the ledger's check read
 * this table.
 */
import type { MovementName, RetiredMovement } from '@pool/contract/ledger'
import { type CapitalOperation, capital } from './capital.ts'
import { type ClaimOperation, claimMovements } from './claims.ts'
import { type DepositOperation, deposits } from './deposits.ts'
import { type InvestmentOperation, investments } from './investments.ts'
import type { Movement } from './movement.ts'
import { type NetworkFeeOperation, networkFeeMovements } from './networkFees.ts'
import { type PayoutOperation, payoutMovements } from './payouts.ts'
import { type WithdrawalOperation, withdrawals } from './withdrawals.ts'

/** A movement of money and the rows that change with it. Done as a whole or refused. */
export type Operation =
  | DepositOperation
  | WithdrawalOperation
  | PayoutOperation
  | InvestmentOperation
  | CapitalOperation
  | ClaimOperation
  | NetworkFeeOperation

export const movements = {
  ...deposits,
  ...withdrawals,
  ...payoutMovements,
  ...investments,
  ...capital,
  ...claimMovements,
  ...networkFeeMovements,
} satisfies Readonly<Record<Exclude<MovementName, RetiredMovement>, Movement<never>>>
