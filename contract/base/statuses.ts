/** Every status of a transaction, an investment or a proposal. */
import type { ProposalStatus } from '../agreements/proposals.ts'
import type { InvestmentStatus } from '../money/investments.ts'
import type { TransactionStatus } from '../requests/transactions.ts'
import type { Tone } from './tones.ts'

/** The tone of each status (docs/product.md 3.18). Its words are in the catalogues. */
export const statusTones = {
  PENDING: 'amber',
  PROCESSING: 'blue',
  APPROVED: 'green',
  REJECTED: 'red',
  EXPIRED: 'grey',
  REVERSED: 'red',
  RETURNED: 'grey',
  ACTIVE: 'grey',
  COMPLETED: 'primary',
} as const satisfies Readonly<Record<TransactionStatus | InvestmentStatus | ProposalStatus, Tone>>
