/**
 * Decides a group, by the rules of its movements and the balances. Each operation sees the ones
 * before it, and is accepted or refused on its own.
 */
import { cents as asCents, dollarsFromCents } from '@pool/contract/base/money'
import type { CompanionMovement } from '@pool/contract/money/ledger'
import type { Outcome, Refused, Ruling, UpToTwo } from '../families/movement.ts'
import type { Operation } from '../families/movements.ts'
import type { Account, GroupFacts } from './facts.ts'
import {
  companionOf,
  legsOf,
  movementOf,
  nameOf,
  type OperationLeg,
  ownerOf,
  type States,
} from './operation.ts'

export type Transfer = {
  readonly from: Account['id']
  readonly to: Account['id']
  readonly amount: bigint
}

/** An operation to write. */
export type Accepted = {
  readonly operation: Operation
  readonly transfers: UpToTwo<Transfer>
  /** The transfer of a second movement with the same cause. */
  readonly companion?: { readonly name: CompanionMovement; readonly transfer: Transfer } | undefined
  readonly ruling: Ruling
}

export type Verdict = {
  readonly outcome: Outcome
  /** True for an outcome to keep under the operation's key. */
  readonly keep: boolean
  /** Undefined for a refusal or a repeat. */
  readonly accepted?: Accepted
}

type SameAs = { readonly sameAs: number }

/** An outcome before any rule. Undefined for an operation to decide. */
export type Answered = Outcome | SameAs | undefined

/**
 * The outcomes of ended sessions, repeats, closed accounts, pauses and what holds back a movement,
 * by position. All but a repeat leave the key free.
 */
export const answerAtOnce = (
  operations: readonly Operation[],
  facts: GroupFacts,
): readonly Answered[] => {
  const firsts = new Map<string, { at: number; requestHash: string }>()
  return operations.map((operation, position) => {
    if (facts.ended.has(position)) return { refused: 'unauthenticated' }
    const held = refusalForNow(operation, facts)
    const idempotency = 'idempotency' in operation ? operation.idempotency : undefined
    if (!idempotency) return held
    const { actorId, key, requestHash } = idempotency
    const earlier = facts.known.get(position)
    if (earlier)
      return earlier.requestHash === requestHash ? earlier.outcome : { refused: 'keyReused' }
    const name = `${actorId} ${key}`
    const first = firsts.get(name)
    if (first)
      return first.requestHash === requestHash ? { sameAs: first.at } : { refused: 'keyReused' }
    firsts.set(name, { at: position, requestHash })
    return held
  })
}

/** The refusal of a closed account, a pause, or the movement itself. Most may be gone tomorrow. */
const refusalForNow = (operation: Operation, facts: GroupFacts): Refused | undefined => {
  if (facts.closed.has(ownerOf(operation) ?? '')) return { refused: 'accountClosed' }
  return (
    facts.paused[operation.movement] ??
    movementOf(operation).refuseForNow?.(operation, statesOf(operation, facts))
  )
}

const statesOf = (operation: Operation, { states }: GroupFacts): States => {
  const named: Record<string, unknown> = {}
  for (const [name, reading] of Object.entries(movementOf(operation).reads))
    named[name] = states.get(reading)
  return named
}

/** Decides the operations without an answer. Notes in the states of the facts what they change. */
export const decide = (
  operations: readonly Operation[],
  facts: GroupFacts,
  answered: readonly Answered[],
): readonly Verdict[] => {
  const balances = openBalances(facts)
  const verdicts: Verdict[] = []
  for (const [position, operation] of operations.entries()) {
    const answer = answered[position]
    if (answer === undefined) verdicts.push(decideOne(operation, facts, balances))
    else {
      const outcome = 'sameAs' in answer ? verdicts[answer.sameAs]?.outcome : answer
      if (outcome) verdicts.push({ outcome, keep: false })
    }
  }
  return verdicts
}

/** The accounts and their balances, as the accepted operations change them. */
type Balances = {
  readonly accounts: ReadonlyMap<string, Account>
  readonly cents: Map<Account['id'], bigint | null>
}

const openBalances = ({ accounts }: GroupFacts): Balances => ({
  accounts: new Map(
    accounts.map((account) => [nameOf({ owner: account.ownerId, kind: account.kind }), account]),
  ),
  cents: new Map(accounts.map(({ id, balance }) => [id, balance])),
})

const decideOne = (operation: Operation, facts: GroupFacts, balances: Balances): Verdict => {
  const { id } = operation
  const { at } = facts
  const ruling = movementOf(operation).rule(operation, statesOf(operation, facts), at)
  if ('refused' in ruling) return { outcome: ruling, keep: true }
  const moves = move(operation, ruling, balances)
  if ('refused' in moves) return { outcome: moves, keep: true }
  ruling.note?.()
  return {
    outcome: { id, at, ...ruling.posted },
    keep: true,
    accepted: { operation, ...moves, ruling },
  }
}

/** Makes all transfers, or none. Money received earlier in the group can be spent. */
const move = (
  operation: Operation,
  { movesNothing, amounts }: Ruling,
  balances: Balances,
): Pick<Accepted, 'transfers' | 'companion'> | Refused => {
  if (movesNothing) return { transfers: [] }
  const after = new Map<Account['id'], bigint | null>()
  const transfers = transferAll(legsOf(operation, amounts), balances, after)
  if ('refused' in transfers) return transfers
  const second = companionOf(operation, amounts)
  const companion = second && transfer(second.leg, balances, after)
  if (companion && 'refused' in companion) return companion
  for (const [id, balance] of after) balances.cents.set(id, balance)
  return { transfers, companion: companion && { name: second.name, transfer: companion } }
}

const transferAll = (
  [first, second]: UpToTwo<OperationLeg>,
  balances: Balances,
  after: Map<Account['id'], bigint | null>,
): UpToTwo<Transfer> | Refused => {
  if (!first) return []
  const one = transfer(first, balances, after)
  if ('refused' in one) return one
  const two = second && transfer(second, balances, after)
  if (two && 'refused' in two) return two
  return two ? [one, two] : [one]
}

const transfer = (
  { from, to, amount }: OperationLeg,
  { accounts, cents }: Balances,
  after: Map<Account['id'], bigint | null>,
): Transfer | Refused => {
  const [source, target] = [accounts.get(nameOf(from)), accounts.get(nameOf(to))]
  if (!source || !target)
    return { refused: 'internal', why: 'names an account that was never opened' }
  const balanceOf = ({ id }: Account) => (after.has(id) ? after.get(id) : cents.get(id)) ?? null
  const balance = balanceOf(source)
  if (balance !== null) {
    if (source.kind !== 'custody' && balance < amount) return shortOf(source, balance)
    after.set(source.id, balance - amount)
  }
  const received = balanceOf(target)
  if (received !== null) {
    // Coins are below zero, and never fewer than none.
    if (target.kind === 'custody' && received + amount > 0n)
      return { refused: 'coinsShort', coins: dollarsFromCents(asCents(-received)) }
    after.set(target.id, received + amount)
  }
  return { from: source.id, to: target.id, amount }
}

const shortOf = ({ kind }: Account, balance: bigint): Refused => {
  if (kind === 'available') return { refused: 'insufficientFunds', balance: String(balance) }
  if (kind === 'reserve') return { refused: 'reserveExhausted' }
  return { refused: 'internal', why: `found only ${balance} cents in ${kind}` }
}
