/**
 * The part of a network's fee that an investor bears beside a withdrawal (docs/product.md 5.8). It
 * is held with it, and the reserve, which pays networks, keeps it once the coins have arrived.
 */
import {
  type Cents,
  cents,
  dollarsFromCents,
  feeBoundOf,
  feeShareOf,
} from '@pool/contract/base/money'
import type { NetworkName } from '@pool/contract/base/networks'
import type { CompanionRule, Refused, StateReading } from './movement.ts'
import { transactionsOf } from './requests.ts'

/** A request whose investor was shown a share. */
export type Sharing = {
  /** The cents that are sent. With `fee` they are what was asked for. */
  readonly amount: Cents
  /** The cents of the network's fee that the investor was shown and bears. */
  readonly fee: Cents
  /** The network that it is paid on. Undefined where none is known yet. */
  readonly paidOn: NetworkName | undefined
}

/** The cents of one payment's fee, by the network. */
export type FeeEstimates = ReadonlyMap<string, bigint>

/** An estimate counts for an hour. Without one the pool bears the fee up to its bound. */
const ESTIMATES = `
SELECT network_name AS network, cents FROM fee_estimates
WHERE network_name = ANY ($1::text[]) AND at > now() - interval '1 hour'`

export const feeEstimates: StateReading<Sharing, FeeEstimates> = {
  read: async (query, requests) => {
    const networks = [...new Set(requests.flatMap(({ paidOn }) => paidOn ?? []))]
    if (networks.length === 0) return new Map()
    const rows = await query<{ network: string; cents: bigint }>('read_fee_estimates', ESTIMATES, [
      networks,
    ])
    return new Map(rows.map(({ network, cents }) => [network, cents]))
  },
}

/** The refusal of a request whose investor was shown another share than the one that counts. */
export const refusedFee = (
  { amount, fee, paidOn }: Sharing,
  estimates: FeeEstimates,
): Refused | undefined => {
  const asked = cents(amount + fee)
  const estimate = cents(estimates.get(paidOn ?? '') ?? 0n)
  const share = feeShareOf(asked, estimate)
  const told = {
    fee: dollarsFromCents(estimate),
    borne: dollarsFromCents(feeBoundOf(asked)),
    share: dollarsFromCents(share),
  }
  if (share >= asked) return { refused: 'networkFeeAboveAmount', ...told }
  return share === fee ? undefined : { refused: 'networkFeeChanged', ...told }
}

const rows = transactionsOf('withdrawal')

export const companionsOfWithdrawals: Readonly<
  Record<'withdrawal_fee_borne' | 'withdrawal_fee_kept' | 'withdrawal_fee_returned', CompanionRule>
> = {
  withdrawal_fee_borne: {
    legs: [{ from: 'available', to: 'held', moves: 'fee' }],
    expected: {
      rows,
      statuses: ['PENDING', 'APPROVED', 'PROCESSING', 'COMPLETED', 'REJECTED', 'RETURNED'],
    },
  },
  withdrawal_fee_kept: {
    legs: [{ from: 'held', to: 'reserve', moves: 'fee' }],
    expected: { rows, statuses: ['COMPLETED'] },
  },
  withdrawal_fee_returned: {
    legs: [{ from: 'held', to: 'available', moves: 'fee' }],
    expected: { rows, statuses: ['REJECTED', 'RETURNED'] },
  },
}
