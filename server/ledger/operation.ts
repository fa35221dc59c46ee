import type { MovementName } from '@pool/contract/ledger'
import type { Cents } from '@pool/contract/money'
import type { RefusalData } from '@pool/contract/refusals'
import {
  type TransactionAction,
  type TransactionStatus,
  type TransactionType,
  transactionActions,
} from '@pool/contract/transactions'
import type { Caller } from '../sessions/actor.ts'
import { type AmountsOf, type Leg, movements } from './movements.ts'

/** An idempotency key with its caller and a digest of the request (docs/product.md 4.8). */
export type Idempotency = {
  readonly actorId: string
  readonly key: string
  readonly requestHash: string
}

/** Limits on new wallets: per day for one IP range, given as a digest, and per hour for all. */
export type WalletPace = {
  readonly source: Buffer
  readonly perIp: number
  readonly perHour: number
}

/** The caller who asks for an operation. The ledger does not need the name. */
export type Asker = Omit<Caller, 'name'>

/** The row that causes a movement, with its amounts in cents. */
type Cause<Name extends MovementName> = AmountsOf<Name> & {
  readonly movement: Name
  readonly id: string
}

/** Requested by an investor about their own money, or by staff who decide. */
type Asked = { readonly by: Asker; readonly idempotency?: Idempotency | undefined }

type DepositRequested = Cause<'deposit_requested'> &
  Asked & {
    readonly amount: Cents
    readonly description: string
    /** Limits an investor who has no wallet yet. */
    readonly walletPace?: WalletPace | undefined
  }

type WithdrawalHeld = Cause<'withdrawal_held'> &
  Asked & {
    readonly description: string
    readonly destinationAddress: string
    readonly destinationNetwork: string
  }

type InvestmentOpened = Cause<'investment_opened'> &
  Asked & {
    readonly rateBasisPoints: number
    readonly durationDays: number
    /** The term, by the database's clock. */
    readonly durationSeconds: number
    /** Of the transaction that tells of it. */
    readonly transactionId: string
  }

/** Ends a PENDING transaction, or is one of the approvals that it needs. */
export type Decision =
  | {
      readonly movement: 'deposit_confirmed'
      /** The deposit's transaction on its chain. Each counts once. */
      readonly evidence?: { readonly network: string; readonly id: string } | undefined
    }
  | {
      readonly movement: 'withdrawal_paid'
      /** The address that the approver saw. Paying another is refused. Without it any is paid. */
      readonly payeeAddress?: string | undefined
    }
  | { readonly movement: 'withdrawal_released'; readonly reason: string }

/** The columns of `audit_entries`, signed. */
type Recorded = { readonly entry: Readonly<Record<string, unknown>> }

type Decided = Decision &
  Cause<Decision['movement']> &
  Asked &
  Recorded & { readonly ownerId: string }

type InvestmentMatured = Cause<'investment_matured'> & {
  readonly ownerId: string
  /** Of the transaction that tells of it. */
  readonly payoutId: string
}

type CapitalContributed = Cause<'capital_contributed'> &
  Recorded & {
    readonly note: string
    readonly contributedBy: string
    readonly idempotency?: Idempotency | undefined
  }

/** A movement of money and the rows that change with it. Done as a whole or refused. */
export type Operation =
  | DepositRequested
  | Decided
  | WithdrawalHeld
  | InvestmentOpened
  | InvestmentMatured
  | CapitalContributed

const actionOf = {
  deposit_confirmed: 'confirm',
  withdrawal_paid: 'approve',
  withdrawal_released: 'reject',
} as const satisfies Readonly<Record<Decision['movement'], TransactionAction>>

/** The status of a transaction after its last decision. */
export const statusAfter = (movement: Decision['movement']): TransactionStatus =>
  transactionActions[actionOf[movement]].to

/** The answer of `post_operations` to an accepted operation, also when it is repeated. */
export type Posted = {
  /** The operation's `id` at the first time. */
  readonly id: string
  readonly at: string
  readonly maturesAt?: string
  /** The number of approvals still missing. No money has moved yet. */
  readonly missing?: number
  /** The wallet to pay a deposit to. */
  readonly address?: string
  readonly networkName?: string
}

/**
 * The answer of `post_operations` to a refused operation: a code of the contract and its facts.
 * Balances are cents. `internal` tells a fault of the books.
 */
export type Refused =
  | { readonly refused: 'insufficientFunds'; readonly balance: string }
  | { readonly refused: 'internal'; readonly why: string }
  | Exclude<RefusalData, { readonly refused: 'insufficientFunds' | 'internal' }>

/** The SQL type `operation`. Bigints are strings, which PostgreSQL reads exactly. */
export const operationRecord = (operation: Operation) => {
  const by = 'by' in operation ? operation.by : undefined
  const idempotency = 'idempotency' in operation ? operation.idempotency : undefined
  return {
    movement: operation.movement,
    reference_id: operation.id,
    owner_id: 'ownerId' in operation ? operation.ownerId : by?.id,
    legs: legsOf(operation),
    actor_id: idempotency?.actorId,
    key: idempotency?.key,
    request_hash: idempotency?.requestHash,
    ...rowsOf(operation),
    entry: 'entry' in operation ? operation.entry : undefined,
    session: by?.session && `\\x${by.session}`,
  }
}

const legsOf = (operation: Operation) => {
  const legs: readonly Leg[] = movements[operation.movement]
  // AmountsOf makes sure that the operation names these amounts.
  const named: { readonly [field in Leg['moves']]?: Cents } & { readonly receiverId?: string } =
    operation
  return legs
    .filter(({ moves }) => named[moves] !== 0n)
    .map(({ from, to, moves, toOwner }) => ({
      from_kind: from,
      to_kind: to,
      amount: String(named[moves]),
      to_owner: toOwner && named[toOwner],
    }))
}

/** The rows that an operation writes or changes. */
const rowsOf = (operation: Operation) => {
  switch (operation.movement) {
    case 'deposit_requested':
      return {
        transaction: transactionRecord({
          ...operation,
          type: 'deposit',
          status: 'PENDING',
          takesWallet: true,
        }),
      }
    case 'withdrawal_held':
      return {
        transaction: transactionRecord({ ...operation, type: 'withdrawal', status: 'PENDING' }),
      }
    case 'deposit_confirmed':
    case 'withdrawal_paid':
    case 'withdrawal_released':
      return { decision: decisionRecord(operation) }
    case 'investment_opened':
      return {
        transaction: transactionRecord({
          id: operation.transactionId,
          type: 'investment',
          amount: operation.principal,
          status: 'COMPLETED',
          investmentId: operation.id,
        }),
        investment: {
          id: operation.id,
          principal: String(operation.principal),
          rate_basis_points: operation.rateBasisPoints,
          interest: String(operation.interest),
          duration_days: operation.durationDays,
          duration_seconds: operation.durationSeconds,
        },
      }
    case 'investment_matured':
      return {
        transaction: transactionRecord({
          id: operation.payoutId,
          type: 'payout',
          amount: operation.principal + operation.interest,
          status: 'COMPLETED',
          investmentId: operation.id,
        }),
        completes: operation.id,
      }
    case 'capital_contributed':
      return {
        contribution: {
          id: operation.id,
          amount: String(operation.amount),
          note: operation.note,
          contributed_by: operation.contributedBy,
        },
      }
  }
}

type TransactionRow = {
  readonly id: string
  readonly type: TransactionType
  readonly amount: bigint
  readonly status: TransactionStatus
  readonly description?: string
  readonly destinationAddress?: string
  readonly destinationNetwork?: string
  readonly investmentId?: string
  readonly takesWallet?: true
  readonly walletPace?: WalletPace | undefined
}

const transactionRecord = (row: TransactionRow) => ({
  id: row.id,
  type: row.type,
  amount: String(row.amount),
  status: row.status,
  description: row.description ?? '',
  destination_address: row.destinationAddress ?? '',
  destination_network: row.destinationNetwork ?? '',
  investment_id: row.investmentId,
  takes_wallet: row.takesWallet ?? false,
  wallet_pace: row.walletPace && {
    source: `\\x${row.walletPace.source.toString('hex')}`,
    per_ip: row.walletPace.perIp,
    per_hour: row.walletPace.perHour,
  },
})

const decisionRecord = (decided: Decided) => ({
  transaction_id: decided.id,
  status: statusAfter(decided.movement),
  decided_by: decided.by.id,
  reason: decided.movement === 'withdrawal_released' ? decided.reason : '',
  ...(decided.movement === 'deposit_confirmed' && {
    evidence_network: decided.evidence?.network,
    evidence: decided.evidence?.id,
  }),
  ...(decided.movement === 'withdrawal_paid' && { payee_address: decided.payeeAddress }),
})
