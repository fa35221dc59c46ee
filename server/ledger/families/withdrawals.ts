/** Withdrawals: held when requested, then approved, or released. `payouts.ts` has what follows. */
import { OPEN_WITHDRAWALS_LIMIT } from '@pool/contract/base/money'
import { timestampFromDate } from '@pool/contract/base/timestamp'
import type { TransactionStatus } from '@pool/contract/requests/transactions'
import { type Debts, debts, refusedDebt } from './debts.ts'
import {
  approveRequest,
  type Decided,
  type Decisions,
  decisions,
  type Ends,
  endRequest,
} from './decisions.ts'
import { type FeeEstimates, feeEstimates, refusedFee, type Sharing } from './feeShares.ts'
import { type Lone, lone } from './lone.ts'
import type { Expected, Movement, OperationRequest, Refused, StateReading } from './movement.ts'
import { transactionRow, transactionsOf } from './requests.ts'

export type WithdrawalHeld = OperationRequest &
  Sharing & {
    readonly movement: 'withdrawal_held'
    readonly id: string
    readonly description: string
    readonly destinationAddress: string
    readonly destinationNetwork: string
    /** Refuses an investor who has not confirmed the email. */
    readonly needsConfirmedEmail?: boolean | undefined
  }

export type WithdrawalApproved = Decided & {
  readonly movement: 'withdrawal_approved'
  /** The address that the approver saw. Another is refused. Without it any is paid. */
  readonly payeeAddress?: string | undefined
}

export type WithdrawalReleased = Decided & Ends & { readonly movement: 'withdrawal_released' }

export type WithdrawalOperation = WithdrawalHeld | WithdrawalApproved | WithdrawalReleased

/**
 * Frozen and suspended accounts, unconfirmed emails and withdrawals on hold. Like a pause, all but
 * emails take effect after groups already running. A confirmed email stays confirmed.
 */
const ACCOUNT_HOLDS = `
SELECT id, CASE WHEN withdrawals_rest_until > now() THEN withdrawals_rest_until END AS "restsUntil",
  frozen_at IS NOT NULL AS frozen, suspended_at IS NOT NULL AS suspended, email_confirmed_at IS NULL AS unconfirmed FROM users
WHERE id = ANY ($1::uuid[])
  AND (frozen_at IS NOT NULL OR suspended_at IS NOT NULL OR email_confirmed_at IS NULL OR withdrawals_rest_until > now())`

export type AccountHolds = {
  readonly restsUntil: Date | null
  readonly frozen: boolean
  readonly suspended: boolean
  readonly unconfirmed: boolean
}

/** Owners of withdrawals with something that may hold back their withdrawals. */
type AccountHoldsByOwner = ReadonlyMap<string, AccountHolds>

export const accountHolds: StateReading<WithdrawalHeld | WithdrawalApproved, AccountHoldsByOwner> =
  {
    read: async (query, withdrawals) => {
      const rows = await query<AccountHolds & { id: string }>('read_account_holds', ACCOUNT_HOLDS, [
        withdrawals.map((each) => ('ownerId' in each ? each.ownerId : each.by.id)),
      ])
      return new Map(rows.map(({ id, ...holds }) => [id, holds]))
    },
  }

/** Refuses a withdrawal beyond those of its person that may wait (docs/decisions/082). */
const waiting: StateReading<WithdrawalHeld, null> = {
  read: () => Promise.resolve(null),
  prepare: async (query, requests) => {
    const [row] = await query<{ numbers: string[] }>(
      'number_withdrawals',
      'SELECT number_withdrawals($1)::text[] AS numbers',
      [requests.map(({ by }) => by.id)],
    )
    const beyond = requests.filter(
      (_, position) => Number(row?.numbers[position]) > OPEN_WITHDRAWALS_LIMIT,
    )
    return new Map<WithdrawalHeld, Refused>(
      beyond.map((request) => [request, { refused: 'tooManyOpenWithdrawals' }]),
    )
  },
}

const refusedBy = ({ frozen, unconfirmed, restsUntil }: AccountHolds): Refused | undefined => {
  if (frozen) return { refused: 'accountFrozen' }
  if (unconfirmed) return { refused: 'emailUnconfirmed' }
  return restsUntil
    ? { refused: 'withdrawalsRest', until: timestampFromDate(restsUntil) }
    : undefined
}

const rows = transactionsOf('withdrawal')

export const withdrawals = {
  /** A withdrawal was requested. Its amount cannot be spent now. */
  withdrawal_held: {
    legs: [{ from: 'available', to: 'held', moves: 'amount' }],
    alsoPosts: 'withdrawal_fee_borne',
    expected: {
      rows,
      statuses: ['PENDING', 'APPROVED', 'PROCESSING', 'COMPLETED', 'REJECTED', 'RETURNED'],
    } satisfies Expected<TransactionStatus>,
    reads: { accountHolds, debts, feeEstimates, waiting },
    refuseForNow: (asked, { accountHolds, debts, feeEstimates }) => {
      const { by, needsConfirmedEmail } = asked
      const holds = accountHolds.get(by.id)
      const unconfirmed = holds?.unconfirmed === true && needsConfirmedEmail === true
      const refused = holds && refusedBy({ ...holds, unconfirmed })
      return refused ?? refusedDebt(debts.get(by.id)) ?? refusedFee(asked, feeEstimates)
    },
    rule: ({ id, by, amount, fee, description, destinationAddress, destinationNetwork }) => ({
      rows: [
        transactionRow({
          id,
          ownerId: by.id,
          type: 'withdrawal',
          amount,
          fee,
          status: 'PENDING',
          description,
          destinationAddress,
          destinationNetwork,
        }),
      ],
    }),
  } satisfies Movement<
    WithdrawalHeld,
    { accountHolds: AccountHoldsByOwner; debts: Debts; feeEstimates: FeeEstimates; waiting: null }
  >,

  /** A withdrawal was approved. Its amount waits until its coins have arrived. */
  withdrawal_approved: {
    legs: [{ from: 'held', to: 'outgoing', moves: 'amount' }],
    expected: {
      rows,
      statuses: ['APPROVED', 'PROCESSING', 'COMPLETED', 'RETURNED'],
    } satisfies Expected<TransactionStatus>,
    locks: 'transactions',
    reads: { accountHolds, debts, decisions, lone },
    refuseForNow: ({ ownerId }, { accountHolds, debts }) => {
      const owner = accountHolds.get(ownerId)
      if (owner?.frozen) return { refused: 'ownerFrozen' }
      if (owner?.suspended) return { refused: 'ownerSuspended' }
      return debts.has(ownerId) ? { refused: 'ownerOwes' } : undefined
    },
    rule: (approved, { decisions, lone }) =>
      approveRequest(
        approved,
        { ...decisions, lone },
        {
          refused: ({ payee }) =>
            (approved.payeeAddress ?? payee) === payee ? undefined : { refused: 'payeeChanged' },
          firstApproval: 'withdrawal.firstApproval',
        },
      ),
  } satisfies Movement<
    WithdrawalApproved,
    { accountHolds: AccountHoldsByOwner; debts: Debts; decisions: Decisions; lone: Lone }
  >,

  /** A withdrawal was rejected, or cancelled by its investor. Its amount can be spent again. */
  withdrawal_released: {
    legs: [{ from: 'held', to: 'available', moves: 'amount' }],
    alsoPosts: 'withdrawal_fee_returned',
    expected: { rows, statuses: ['REJECTED'] } satisfies Expected<TransactionStatus>,
    locks: 'transactions',
    reads: { decisions },
    rule: (released, { decisions }) => endRequest(released, decisions),
  } satisfies Movement<WithdrawalReleased, { decisions: Decisions }>,
}
