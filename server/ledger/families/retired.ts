/** Movements that older releases posted. Nothing posts them now, and their transfers stay right. */
import type { RetiredMovement } from '@pool/contract/money/ledger'
import type { TransactionStatus } from '@pool/contract/requests/transactions'
import type { Expected, Leg, UpToTwo } from './movement.ts'
import { transactionsOf } from './requests.ts'

type Retired = { readonly legs: UpToTwo<Leg>; readonly expected: Expected<TransactionStatus> }

export const retiredMovements: Readonly<Record<RetiredMovement, Retired>> = {
  /** A withdrawal was approved, which counted as paid. Marks after it moved nothing. */
  withdrawal_paid: {
    legs: [{ from: 'held', to: 'custody', moves: 'amount' }],
    expected: {
      rows: transactionsOf('withdrawal'),
      statuses: ['APPROVED', 'PROCESSING', 'COMPLETED'],
      only: { column: 'outgoing', is: false },
    },
  },
}
