/** The meaning of each movement in a statement: one row, from which sums and forms follow. */
import type { MovementName, poolAccounts } from '@pool/contract/money/ledger'
import type { StatementSum } from '@pool/contract/reports/statements'
import type { movements } from '../../ledger/families/movements.ts'

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

/** Approved withdrawals are still their investors', and so are debts. */
type PoolAccount = Exclude<(typeof poolAccounts)[number], 'outgoing' | 'claims'>
type OfPool = { readonly [End in 'from' | 'to']: PoolAccount }
type Moves = typeof movements
/** Movements between accounts of the pool alone, by their legs. */
type PoolMovement = {
  [Name in keyof Moves]: Moves[Name]['legs'][number] extends OfPool ? Name : never
}[keyof Moves]

/** A movement of an investor's account does not compile until it has its row. */
const facts: Readonly<Record<Exclude<MovementName, PoolMovement>, MovementFacts>> = {
  loan_interest_received: OF_POOL,
  loan_interest_reversed: OF_POOL,
  loan_lost: OF_POOL,
  loss_returned: { sum: 'lossesReturned', booked: 'lossReturned' },
  withdrawal_fee_borne: WITHIN,
  withdrawal_fee_kept: { sum: 'fees', booked: 'fee' },
  withdrawal_fee_returned: WITHIN,
  deposit_confirmed: { sum: 'deposited', booked: 'in' },
  withdrawal_held: WITHIN,
  withdrawal_approved: WITHIN,
  withdrawal_completed: { sum: 'withdrawn', booked: 'out' },
  withdrawal_returned: WITHIN,
  withdrawal_released: WITHIN,
  investment_opened: WITHIN,
  investment_matured: { sum: null, booked: 'interest' },
  deposit_reversed: { sum: 'depositsReversed', booked: 'out' },
  claim_collected: { sum: 'debtCollected', booked: null },
  claim_written_off: { sum: 'debtWrittenOff', booked: 'in' },
  loss_shared: { sum: 'lossesBorne', booked: 'loss' },
}

export const factsOf = (movement: MovementName): MovementFacts =>
  facts[movement as keyof typeof facts] ?? OF_POOL
