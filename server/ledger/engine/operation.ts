/** An operation as the engine sees it: its movement, its owner, its legs and their accounts. */
import type { Cents } from '@pool/contract/base/money'
import {
  type AccountKind,
  type CompanionMovement,
  investorAccounts,
} from '@pool/contract/money/ledger'
import { POOL_OWNER } from '../families/accounts.ts'
import type {
  Expected,
  Leg,
  Moved,
  Refused,
  Ruling,
  StateReading,
  UpToTwo,
} from '../families/movement.ts'
import { companionMovements, movements, type Operation } from '../families/movements.ts'

export type AnyReading = StateReading<never, unknown>
/** The states of a movement's readings, by their names in it. */
export type States = Readonly<Record<string, unknown>>

/** A movement of any family. Its functions take operations that name it. */
export type AnyMovement = {
  readonly legs: UpToTwo<Leg>
  readonly expected?: Expected
  readonly locks?: 'transactions'
  isAlone?(operation: Operation): boolean
  readonly alsoPosts?: CompanionMovement
  readonly reads: Readonly<Record<string, AnyReading>>
  refuseForNow?(operation: Operation, states: States): Refused | undefined
  rule(operation: Operation, states: States, at: string): Ruling | Refused
}

export const movementOf = ({ movement }: Operation): AnyMovement => movements[movement]

/** True for an operation that no other one is decided beside. */
export const isAlone = (operation: Operation): boolean =>
  movementOf(operation).isAlone?.(operation) === true

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

/** Names an account in one word. */
export const nameOf = ({ owner, kind }: AccountName): string => `${owner} ${kind}`

type Amounts = { readonly [field in Moved]?: Cents }

/**
 * The transfers that an operation makes, in order. A leg of no cents is left out. `found` are the
 * amounts that its rule found.
 */
export const legsOf = (operation: Operation, found: Amounts = {}): UpToTwo<OperationLeg> => {
  const [first, second] = movementOf(operation).legs
  const one = legOf(operation, first, found)
  const two = legOf(operation, second, found)
  if (one && two) return [one, two]
  const only = one ?? two
  return only ? [only] : []
}

/** The transfer that the movement also posts, with the name of its movement. */
export const companionOf = (
  operation: Operation,
  found: Amounts = {},
): { readonly name: CompanionMovement; readonly leg: OperationLeg } | undefined => {
  const { alsoPosts } = movementOf(operation)
  const leg = alsoPosts && legOf(operation, companionMovements[alsoPosts].legs[0], found)
  return leg && { name: alsoPosts, leg }
}

const legOf = (
  operation: Operation,
  leg: Leg | undefined,
  found: Amounts,
): OperationLeg | undefined => {
  // A movement's legs name amounts of its operation, or of its ruling.
  const amounts: Amounts = { ...operation, ...found }
  const amount = leg && amounts[leg.moves]
  if (!amount) return undefined
  const owner = ownerOf(operation)
  return { from: accountOf(leg.from, owner), to: accountOf(leg.to, owner), amount }
}

const isInvestorAccount = (kind: AccountKind): boolean =>
  (investorAccounts as readonly AccountKind[]).includes(kind)

/** The account of this kind: the investor's, or the pool's. */
const accountOf = (kind: AccountKind, investor: string | undefined): AccountName => ({
  owner: isInvestorAccount(kind) && investor !== undefined ? investor : POOL_OWNER,
  kind,
})

/**
 * The accounts that operations name, each once. An investor's own request that moves nothing names
 * one for their standing.
 */
export const accountsOf = (operations: readonly Operation[]): readonly AccountName[] => {
  const names = new Map<string, AccountName>()
  for (const operation of operations) {
    const owner = ownerOf(operation)
    const { legs, alsoPosts } = movementOf(operation)
    for (const { from, to } of [...legs, ...(alsoPosts ? companionMovements[alsoPosts].legs : [])])
      for (const account of [accountOf(from, owner), accountOf(to, owner)])
        names.set(nameOf(account), account)
    if ('ownerId' in operation || !('by' in operation)) continue
    const own = accountOf('available', operation.by.id)
    names.set(nameOf(own), own)
  }
  return [...names.values()]
}
