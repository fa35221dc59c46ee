/** The refusals of the operator's capital and of coins that are not there. */
import { formatDollars } from '../base/money.ts'

/** Amounts are in dollars. */
export type CapitalRefusalDetails = {
  readonly coinsShort: { coins: number }
  readonly capitalNotSeen: { network: string }
  readonly capitalCountsAs: { amount: number }
}

const define = (status: number, sentence: string) => ({ status, narration: () => sentence })

export const capitalRefusals = {
  coinsShort: {
    status: 409,
    narration: ({ coins }: CapitalRefusalDetails['coinsShort']): string =>
      `By its books the pool has coins of ${formatDollars(coins)}, which is less. Nothing was booked. Record the coins that came in first.`,
  },
  capitalNeedsTwo: define(
    409,
    'Capital comes in by two super admins, and there is only one. Give the role to another person first.',
  ),
  capitalNotSeen: {
    status: 409,
    narration: ({ network }: CapitalRefusalDetails['capitalNotSeen']): string =>
      `A node follows ${network}. Send the coins to an own address of the pool, and choose the payment once it is confirmed.`,
  },
  capitalUnknown: define(
    409,
    'No confirmed payment to an own address of the pool is as you say. Look at the list again.',
  ),
  capitalCountsAs: {
    status: 409,
    narration: ({ amount }: CapitalRefusalDetails['capitalCountsAs']): string =>
      `These coins count as ${formatDollars(amount)}. Nothing was booked.`,
  },
  transactionBooked: define(409, 'This transaction is booked already. Nothing was booked twice.'),
}
