/**
 * The form of a movement of money. Each family has a file, such as `deposits.ts`. `movements.ts`
 * lists them.
 */
import type { Coin } from '@pool/contract/base/assets'
import type { Cents } from '@pool/contract/base/money'
import type { RefusalData } from '@pool/contract/base/refusals'
import type { RateSource } from '@pool/contract/chain/rates'
import type { AccountKind, CompanionMovement } from '@pool/contract/money/ledger'
import type { Caller } from '../../base/sessions/actor.ts'

/** An idempotency key with its caller and a digest of the request (docs/product.md 4.8). */
export type Idempotency = {
  readonly actorId: string
  readonly key: string
  readonly requestHash: string
}

/** The caller who asks for an operation. The ledger does not need the name. */
export type Asker = Omit<Caller, 'name'>

/** Requested by an investor about their own money, or by staff who decide. */
export type OperationRequest = {
  readonly by: Asker
  readonly idempotency?: Idempotency | undefined
}

/** The columns of `audit_entries`, signed. */
export type SignedEntry = { readonly after?: object | null; readonly [column: string]: unknown }

/** A quote as an outcome holds it. Moments are ISO text. */
export type PostedQuote = {
  readonly coin: Coin
  readonly units: string
  readonly decimals: number
  readonly dollars: string
  readonly source: RateSource | null
  readonly at: string
  readonly endsAt: string
}

/** The outcome of an accepted operation, also when it is repeated. */
export type Posted = {
  /** The operation's `id` at the first time. */
  readonly id: string
  readonly at: string
  readonly maturesAt?: string
  /** Cents that an investment earns. Outcomes of older releases have none. */
  readonly interest?: string
  /** The number of approvals still missing. No money has moved yet. */
  readonly missing?: number
  /** The wallet to pay a deposit to. */
  readonly address?: string
  readonly networkName?: string
  /** The coins to send for a deposit, where a rate counts. */
  readonly quote?: PostedQuote
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

/** None, one or two: a row of `movements` holds two transfers. */
export type UpToTwo<Item> = readonly [] | readonly [Item] | readonly [Item, Item]

/** The field of an operation, and the column of its cause, with the cents that a leg moves. */
export type Moved =
  | 'amount'
  | 'principal'
  | 'interest'
  | 'recovered'
  | 'kept'
  | 'returned'
  | 'capital'
  | 'covered'
  | 'lost'
  | 'fee'

/**
 * A transfer between accounts of the operation's investor or of the pool, by kind. Zero cents make
 * no transfer.
 */
export type Leg<Fields extends PropertyKey = Moved> = {
  readonly from: AccountKind
  readonly to: AccountKind
  readonly moves: Moved & Fields
}

/** The rows that cause movements under their own ids. The ledger's check compares the two. */
export type Causes = {
  /** Begins the sentence of a finding. */
  readonly noun: string
  readonly table: string
  /** The value of the column `type`, in a table of several types. */
  readonly type?: string
  /** True for rows of an investor, named in the column `user_id`. */
  readonly owned: boolean
  /** The status of each row, in a table without the column `status`. */
  readonly status?: string
}

/** The rows have caused the movement in these statuses. */
export type Expected<Status extends string = string> = {
  readonly rows: Causes
  readonly statuses: readonly Status[]
  /** Rows with another value in this column have not. */
  readonly only?: { readonly column: 'sent'; readonly is: boolean }
}

/** Sends a statement in the round trip of the group. Resolves with its rows. */
export type Query = <Row>(name: string, text: string, values?: readonly unknown[]) => Promise<Row[]>

export type Statement = { readonly name: string; readonly text: string }

/** A row to write: its values, a parameter each. */
export type RowToWrite = { readonly into: Statement; readonly values: readonly unknown[] }

/** The rows of a statement. Without any it is not sent. */
export type RowsToWrite = {
  readonly into: Statement
  readonly rows: readonly (readonly unknown[])[]
}

/** Rows that movements are decided by: read once for a group, and changed as it is decided. */
export type StateReading<Op, State> = {
  /** SQL that the group begins with, such as a lock. */
  begin?(operations: readonly Op[]): string
  /** Reads after all locks, together with the other readings. */
  read(query: Query, operations: readonly Op[]): Promise<State>
  /**
   * Changes rows of the operations that are still to decide, in a round trip of its own. Returns
   * refusals that leave the key free.
   */
  prepare?(
    query: Query,
    operations: readonly Op[],
    state: State,
  ): Promise<ReadonlyMap<object, Refused>>
  /** Writes what the rulings noted. In this order, each alone, before the other rows. */
  write?(state: State): readonly RowsToWrite[]
}

/** The effects of an accepted operation besides its transfers. */
export type Ruling = {
  readonly rows?: readonly RowToWrite[]
  /** The entry of the audit trail. */
  readonly entry?: SignedEntry
  /** Entries beside it. */
  readonly more?: readonly SignedEntry[]
  /** The cents that the legs move, where the rule finds them. Else the operation has them. */
  readonly amounts?: Readonly<Partial<Record<Moved, Cents>>>
  /** Added to the outcome. */
  readonly posted?: Omit<Partial<Posted>, 'id' | 'at'>
  /** True where the legs do not move: an approval is missing, or the money has moved already. */
  readonly movesNothing?: boolean
  /** Runs once the legs have moved. The group's later operations see what it notes. */
  readonly note?: () => void
}

type Legs<Op> =
  | { readonly legs: readonly []; readonly expected?: never }
  | {
      readonly legs: Exclude<UpToTwo<Leg<keyof Op>>, readonly []>
      /** The rows that must have caused it. */
      readonly expected: Expected
    }

/** A movement that another one also posts, under the same cause. */
export type CompanionRule = {
  readonly legs: readonly [Leg]
  readonly expected: Expected
}

/** A movement: its legs, what it reads, its decision and its rows. */
export type Movement<Op, State extends object = object> = Legs<Op> & {
  /** The table with the row to change, which the group locks by the operation's id. */
  readonly locks?: 'transactions'
  /** True for an operation that is decided alone: beside no other one, on any node. */
  isAlone?(operation: Op): boolean
  /** A second row with the same cause, for a third transfer. All of both move, or none. */
  readonly alsoPosts?: CompanionMovement
  readonly reads: { readonly [Name in keyof State]: StateReading<Op, State[Name]> }
  /** Refuses for a reason that may be gone tomorrow, and leaves the key free. */
  refuseForNow?(operation: Op, state: State): Refused | undefined
  /** Decides, without SQL. `at` is the moment of the group. */
  rule(operation: Op, state: State, at: string): Ruling | Refused
}
