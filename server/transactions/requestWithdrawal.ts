import { DEFAULT_DESTINATION } from '@pool/contract/messages'
import type { Cents } from '@pool/contract/money'
import { v7 as newId } from 'uuid'
import type { Ledger } from '../ledger/ledger.ts'
import { withdrawalHeld } from '../ledger/movements.ts'
import type { Repeatable } from '../ledger/operation.ts'

export type WithdrawalRequest = {
  readonly userId: string
  readonly amount: Cents
  readonly destinationAddress?: string | undefined
  readonly description?: string | undefined
  readonly repeatable?: Repeatable | undefined
}

/** Holds the amount at once and writes a PENDING withdrawal. Throws `insufficientFunds`, and then nothing changed. */
export const requestWithdrawal = async (ledger: Ledger, request: WithdrawalRequest) => {
  const { userId, amount, description = '', repeatable } = request
  const destinationAddress = request.destinationAddress || description || DEFAULT_DESTINATION
  const id = newId()
  const posted = await ledger.post({
    movement: withdrawalHeld(amount),
    referenceId: id,
    ownerId: userId,
    repeatable,
    transaction: { id, type: 'withdrawal', amount, status: 'PENDING', description, destinationAddress },
  })
  return { transactionId: posted.id, destinationAddress }
}
