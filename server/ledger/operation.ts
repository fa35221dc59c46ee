import { type AccountKind, investorAccounts, type MovementName } from '@pool/contract/ledger'
import type { Cents } from '@pool/contract/money'
import type { RefusalData } from '@pool/contract/refusals'
import type { TransactionStatus } from '@pool/contract/transactions'
import type { Caller } from '../sessions/actor.ts'
import { POOL_OWNER } from './accounts.ts'
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
    /** The wallet's network. Undefined takes the one used last, else any. */
    readonly networkName?: string | undefined
    /** Limits an investor who has no wallet of the network yet. */
    readonly walletPace?: WalletPace | undefined
  }

type WithdrawalHeld = Cause<'withdrawal_held'> &
  Asked & {
    readonly description: string
    readonly destinationAddress: string
    readonly destinationNetwork: string
    /** Refuses an investor who has not confirmed the email. */
    readonly needsConfirmedEmail?: boolean | undefined
  }

type InvestmentOpened = Cause<'investment_opened'> &
  Asked & {
    readonly rateBasisPoints: number
    readonly durationDays: number
    /** The term, by the database's clock. */
    readonly durationSeconds: number
  }

/** Ends a PENDING transaction, or is one of the approvals that it needs. */
export type Decision =
  | {
      /** Its amount is what was received. The request keeps what was asked for, if that differs. */
      readonly movement: 'deposit_confirmed'
      /** The deposit's transaction on its chain. Each counts once. */
      readonly evidence?: { readonly network: string; readonly id: string } | undefined
    }
  | {
      readonly movement: 'withdrawal_paid'
      /** The address that the approver saw. Paying another is refused. Without it any is paid. */
      readonly payeeAddress?: string | undefined
    }
  | Ending

/** Ends a request without its effect. Staff reject it, or its investor cancels it. */
export type Ending = {
  readonly movement: 'deposit_rejected' | 'withdrawal_released'
  readonly reason: string
  readonly cancels?: true
}

/** The columns of `audit_entries`, signed. */
export type Recorded = { readonly entry: SignedEntry }
export type SignedEntry = { readonly after?: object | null; readonly [column: string]: unknown }

export type Decided = Decision &
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

const statuses = {
  deposit_confirmed: 'APPROVED',
  deposit_rejected: 'REJECTED',
  withdrawal_paid: 'APPROVED',
  withdrawal_released: 'REJECTED',
} as const satisfies Readonly<Record<Decision['movement'], TransactionStatus>>

/** The status of a transaction after its last decision. */
export const statusAfter = (movement: Decision['movement']): 'APPROVED' | 'REJECTED' =>
  statuses[movement]

/** The outcome of an accepted operation, also when it is repeated. */
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
 * The outcome of a refused operation: a code of the contract and its facts. Amounts are cents.
 * `internal` tells a fault of the books.
 */
export type Refused =
  | { readonly refused: 'insufficientFunds'; readonly balance: string }
  | { readonly refused: 'amountDiffers'; readonly amount: string }
  | { readonly refused: 'internal'; readonly why: string }
  | Exclude<RefusalData, { readonly refused: 'insufficientFunds' | 'amountDiffers' | 'internal' }>

export type Outcome = Posted | Refused

/** The investor whose money moves. Undefined for the pool's own. */
export const ownerOf = (operation: Operation): string | undefined => {
  if ('ownerId' in operation) return operation.ownerId
  return 'by' in operation ? operation.by.id : undefined
}

/** A transfer of an operation, in cents, between accounts named by owner and kind. */
export type OperationLeg = {
  readonly from: AccountName
  readonly to: AccountName
  readonly amount: bigint
}
export type AccountName = { readonly owner: string; readonly kind: AccountKind }

/** The transfers that an operation makes, in order. A leg of no cents is left out. */
export const legsOf = (operation: Operation): readonly OperationLeg[] => {
  const legs: readonly Leg[] = movements[operation.movement]
  // AmountsOf makes sure that the operation names these amounts.
  const named: { readonly [field in Leg['moves']]?: Cents } & { readonly receiverId?: string } =
    operation
  const owner = ownerOf(operation)
  return legs.flatMap(({ from, to, moves, toOwner }) => {
    const amount: bigint = named[moves] ?? 0n
    if (amount === 0n) return []
    const receiver = toOwner && named[toOwner]
    return [
      {
        from: { owner: accountOwner(from, owner), kind: from },
        to: { owner: receiver ?? accountOwner(to, owner), kind: to },
        amount,
      },
    ]
  })
}

/** The owner of an account of this kind: the investor, or the pool. */
const accountOwner = (kind: AccountKind, investor: string | undefined): string =>
  isInvestorAccount(kind) && investor !== undefined ? investor : POOL_OWNER

const isInvestorAccount = (kind: AccountKind): boolean =>
  (investorAccounts as readonly AccountKind[]).includes(kind)

/** True for an operation that decides about a transaction. */
export const isDecision = (operation: Operation): operation is Decided =>
  operation.movement in statuses

/** True for a decision that ends a request without its effect. */
export const isEnding = <Posted extends Decision>(
  decision: Posted,
): decision is Extract<Posted, Ending> => statusAfter(decision.movement) === 'REJECTED'
