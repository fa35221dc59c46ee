import type { Cents } from '@pool/contract/money'
import type { SwitchName } from '@pool/contract/pauses'
import type { TransactionStatus, TransactionType } from '@pool/contract/transactions'
import type { Movement } from './movements.ts'

/**
 * Who asked for an operation, under which key it may be repeated, and a digest of what was asked
 * (docs/product.md 4.8).
 */
export type Idempotency = {
  readonly actorId: string
  readonly key: string
  readonly requestHash: string
}

/**
 * How fast wallets may be newly given: by the IP range of the caller, as a digest, in a day, and
 * altogether in an hour.
 */
export type WalletPace = {
  readonly source: Buffer
  readonly perIp: number
  readonly perHour: number
}

/** A transaction that is written with a movement. */
export type NewTransaction = {
  readonly id: string
  readonly type: TransactionType
  readonly amount: Cents
  readonly status: TransactionStatus
  readonly description?: string
  readonly destinationAddress?: string
  readonly destinationNetwork?: string
  readonly investmentId?: string
  /** The investor is to be given a deposit wallet with it. */
  readonly takesWallet?: true
  /** Holds an investor without a wallet to a pace; absent where there is none. */
  readonly walletPace?: WalletPace | undefined
}

/**
 * An investment that is opened with a movement. It matures `durationSeconds` after the database's
 * clock.
 */
export type NewInvestment = {
  readonly id: string
  readonly principal: Cents
  readonly rateBasisPoints: number
  readonly interest: Cents
  readonly durationDays: number
  readonly durationSeconds: number
}

/**
 * The user who asks for an operation, and from which IP address. A `session`, by its hash, must
 * still live at the commit.
 */
export type Actor = {
  readonly id: string
  readonly from: string
  readonly session?: string | undefined
}

/** The decision that ends a PENDING transaction, or one of the approvals that it needs. */
export type Decision = {
  readonly transactionId: string
  readonly status: TransactionStatus
  readonly reason?: string
  /**
   * The address that the approver was shown: a withdrawal that would be paid to another is refused.
   * Without it any is paid.
   */
  readonly payeeAddress?: string | undefined
  /** The transaction on a network's chain that it rests on; it counts once. */
  readonly evidence?: { readonly network: string; readonly id: string } | undefined
}

export type Contribution = {
  readonly id: string
  readonly amount: Cents
  readonly note: string
  readonly contributedBy: string
}

/**
 * One movement of money together with the rows that change with it: done whole, or refused with
 * nothing changed.
 */
export type Operation = {
  readonly movement: Movement
  /** The transaction, investment or contribution that caused it. */
  readonly referenceId: string
  /** The investor whose accounts the movement names; absent when it touches only the pool's. */
  readonly ownerId?: string
  /** Absent when the product or its operator acts. */
  readonly by?: Actor
  readonly idempotency?: Idempotency | undefined
  readonly transaction?: NewTransaction
  readonly investment?: NewInvestment
  readonly contribution?: Contribution
  /** Taken by the one who asks. */
  readonly decision?: Decision
  /** The id of a matured investment that this pays. */
  readonly completes?: string
  /** What goes on record with it, signed, by the columns of `audit_entries`. */
  readonly entry?: Readonly<Record<string, unknown>>
}

/** What `post_operations` answers for an operation that was done, also when it is repeated. */
export type Posted = {
  /** The operation's `referenceId`, as of the first time. */
  readonly id: string
  readonly at: string
  readonly maturesAt?: string
  /** How many approvals a transaction still waits for: no money has moved yet. */
  readonly missing?: number
  /** The wallet that a deposit is to be paid to. */
  readonly address?: string
  readonly networkName?: string
}

/** What `post_operations` answers for an operation that was refused. */
export type Refused =
  | { readonly refused: 'keyReused' | 'noWalletAvailable' | 'notMatured' | 'noAccount' }
  | { readonly refused: 'tooManyOpenDeposits' }
  /** `seconds` until there may be one for the caller. */
  | { readonly refused: 'tooManyNewWallets' | 'walletsInDemand'; readonly seconds: number }
  | {
      readonly refused:
        | 'unauthenticated'
        | 'forbidden'
        | 'ownTransaction'
        | 'ownerMismatch'
        | 'evidenceUsed'
        | 'evidenceDiffers'
        | 'approvedAlready'
        | 'payeeChanged'
    }
  /** `status` is null where there is no such transaction. */
  | { readonly refused: 'alreadyDecided'; readonly status: string | null }
  | { readonly refused: 'paused'; readonly name: SwitchName; readonly reason: string }
  /** `balance` in cents, of the first account that did not cover its leg. */
  | { readonly refused: 'short'; readonly kind: string; readonly balance: string }

/**
 * The `operation` record of server/migrations/0008-operations.sql; bigints as strings, which
 * PostgreSQL reads exactly.
 */
export const operationRecord = (operation: Operation) => {
  const { movement, by, transaction, investment, contribution, decision, idempotency } = operation
  return {
    movement: movement.name,
    reference_id: operation.referenceId,
    owner_id: operation.ownerId,
    legs: movement.legs.map(({ from, to, amount }) => ({
      from_kind: from,
      to_kind: to,
      amount: String(amount),
    })),
    actor_id: idempotency?.actorId,
    key: idempotency?.key,
    request_hash: idempotency?.requestHash,
    transaction: transaction && {
      id: transaction.id,
      type: transaction.type,
      amount: String(transaction.amount),
      status: transaction.status,
      description: transaction.description ?? '',
      destination_address: transaction.destinationAddress ?? '',
      destination_network: transaction.destinationNetwork ?? '',
      investment_id: transaction.investmentId,
      takes_wallet: transaction.takesWallet ?? false,
      wallet_pace: transaction.walletPace && {
        source: `\\x${transaction.walletPace.source.toString('hex')}`,
        per_ip: transaction.walletPace.perIp,
        per_hour: transaction.walletPace.perHour,
      },
    },
    investment: investment && {
      id: investment.id,
      principal: String(investment.principal),
      rate_basis_points: investment.rateBasisPoints,
      interest: String(investment.interest),
      duration_days: investment.durationDays,
      duration_seconds: investment.durationSeconds,
    },
    contribution: contribution && {
      id: contribution.id,
      amount: String(contribution.amount),
      note: contribution.note,
      contributed_by: contribution.contributedBy,
    },
    decision: decision && {
      transaction_id: decision.transactionId,
      status: decision.status,
      decided_by: by?.id,
      reason: decision.reason ?? '',
      evidence_network: decision.evidence?.network,
      evidence: decision.evidence?.id,
      payee_address: decision.payeeAddress,
    },
    completes: operation.completes,
    entry: operation.entry,
    session: by?.session && `\\x${by.session}`,
  }
}
