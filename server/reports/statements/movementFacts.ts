/** The meaning of each movement in a statement: one row, from which sums and forms follow. */
import type { MovementName } from '@pool/contract/money/ledger'
import type { StatementSum } from '@pool/contract/reports/statements'

/** As what other programs book a movement. */
export type BookedKind = 'in' | 'out' | 'interest' | 'loss' | 'lossReturned' | 'fee'

type MovementFacts = {
  /** The sum that its amount counts in. Interest counts by itself, when it is paid. */
  readonly sum: StatementSum | null
  /** Null for money that stays the investor's. The others together are the change of `total`. */
  readonly booked: BookedKind | null
}

/** It moves an investor's money within. */
const WITHIN: MovementFacts = { sum: null, booked: null }
/** No investor has it in a statement. */
const OF_POOL: MovementFacts = { sum: null, booked: null }

export const movementFacts: Readonly<Record<MovementName, MovementFacts>> = {
  loan_interest_received: OF_POOL,
  loan_interest_reversed: OF_POOL,
  loan_lost: OF_POOL,
  loss_returned: { sum: 'lossesReturned', booked: 'lossReturned' },
  withdrawal_fee_borne: WITHIN,
  withdrawal_fee_kept: { sum: 'fees', booked: 'fee' },
  withdrawal_fee_returned: WITHIN,
  deposit_requested: WITHIN,
  deposit_confirmed: { sum: 'deposited', booked: 'in' },
  deposit_rejected: WITHIN,
  withdrawal_held: WITHIN,
  withdrawal_approved: WITHIN,
  withdrawal_completed: { sum: 'withdrawn', booked: 'out' },
  withdrawal_returned: WITHIN,
  withdrawal_released: WITHIN,
  investment_opened: WITHIN,
  investment_matured: { sum: null, booked: 'interest' },
  capital_contributed: OF_POOL,
  capital_withdrawn: OF_POOL,
  deposit_reversed: { sum: 'depositsReversed', booked: 'out' },
  claim_collected: { sum: 'debtCollected', booked: null },
  claim_written_off: { sum: 'debtWrittenOff', booked: 'in' },
  loan_disbursed: OF_POOL,
  loan_reserved: OF_POOL,
  loan_sent: OF_POOL,
  loan_released: OF_POOL,
  loan_repaid: OF_POOL,
  loan_repayment_reversed: OF_POOL,
  loan_defaulted: OF_POOL,
  loan_written_off: OF_POOL,
  loan_recovered: OF_POOL,
  loan_recovery_reversed: OF_POOL,
  loan_restructured: OF_POOL,
  loss_covered: OF_POOL,
  loss_shared: { sum: 'lossesBorne', booked: 'loss' },
  network_fee_paid: OF_POOL,
  network_fee_returned: OF_POOL,
}
