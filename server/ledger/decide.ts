/**
 * The rules of posting, as pure functions over the rows that a group has read. Each operation
 * sees the ones before it, and is accepted or refused on its own.
 */
import type { AccountKind } from '@pool/contract/ledger'
import type { Cents } from '@pool/contract/money'
import {
  type ApprovalLimits,
  type DecidedAlone,
  exceededLimit,
  limitUse,
} from './approvalLimits.ts'
import {
  type AccountName,
  type Decided,
  isDecision,
  isEnding,
  legsOf,
  type Operation,
  type OperationLeg,
  type Outcome,
  ownerOf,
  type Posted,
  type Refused,
  statusAfter,
} from './operation.ts'

/** An account. `balance` is in cents, null for an account that may go below zero. */
export type Account = {
  readonly id: bigint
  readonly ownerId: string
  readonly kind: AccountKind
  readonly balance: bigint | null
}

/** A locked transaction that staff decide about. */
export type Decidable = {
  readonly ownerId: string
  readonly status: string
  readonly needed: number
  readonly evidence: string | null
  /** The address that a withdrawal would be paid to now. */
  readonly payee: string
  /** The staff who approved it for that address, each with the cents approved. Oldest first. */
  readonly approvals: readonly { readonly by: string; readonly amount: Cents }[]
}

export type Wallet = {
  readonly walletId: string
  readonly address: string
  readonly networkName: string
}

/** The rows that rule on a group. Positions are those of the operations. */
export type Facts = {
  /** The moment of the transaction. */
  readonly at: string
  /** Positions whose session has ended. */
  readonly ended: ReadonlySet<number>
  /** Outcomes on record under the keys of these positions. */
  readonly known: ReadonlyMap<number, { readonly requestHash: string; readonly outcome: Outcome }>
  /** Refusals of paused movements, by movement. */
  readonly paused: Readonly<Record<string, Refused>>
  /** Refusals of investors whose withdrawals rest, by user. */
  readonly resting: ReadonlyMap<string, Refused>
  /** The frozen accounts among the owners of withdrawals. */
  readonly frozen: ReadonlySet<string>
  /** Those of them who have not confirmed their email. */
  readonly unconfirmed: ReadonlySet<string>
  /** The closed accounts among the owners of operations. */
  readonly closed: ReadonlySet<string>
  readonly accounts: readonly Account[]
  readonly transactions: ReadonlyMap<string, Decidable>
  /** Investments to complete that are ACTIVE and have matured. */
  readonly matured: ReadonlySet<string>
  /** Those of the deciding people who may decide. */
  readonly staff: ReadonlySet<string>
  /** Transactions by the evidence on record for them: {@link evidenceName}. */
  readonly evidence: ReadonlyMap<string, string>
  readonly limits: ApprovalLimits
  readonly decidedAlone: readonly DecidedAlone[]
}

/** The approvals of a decision. It moves money once none is missing. */
export type Approval = {
  readonly needed: number
  readonly missing: number
  readonly payee: string
}

export type Transfer = {
  readonly from: Account['id']
  readonly to: Account['id']
  readonly amount: bigint
}

/** An operation to write. */
export type Accepted = {
  readonly operation: Operation
  readonly transfers: readonly Transfer[]
  readonly approval?: Approval | undefined
  readonly wallet?: Wallet | undefined
}

export type Verdict = {
  readonly outcome: Outcome
  /** True for an outcome to keep under the operation's key. */
  readonly keep: boolean
  /** Undefined for a refusal or a repeat. */
  readonly accepted?: Accepted
}

type SameAs = { readonly sameAs: number }

/**
 * The outcomes of ended sessions, repeats, pauses, closed or frozen accounts, rests and unproven
 * emails, by position. Undefined for an operation to decide. All but a repeat leave the key free.
 */
export const answerAtOnce = (
  operations: readonly Operation[],
  facts: Pick<Facts, 'ended' | 'known'> & HoldingBack,
): readonly (Outcome | SameAs | undefined)[] => {
  const { ended, known } = facts
  const firsts = new Map<string, { at: number; requestHash: string }>()
  return operations.map((operation, position) => {
    if (ended.has(position)) return { refused: 'unauthenticated' }
    const pause = heldBack(operation, facts)
    const idempotency = 'idempotency' in operation ? operation.idempotency : undefined
    if (!idempotency) return pause
    const { actorId, key, requestHash } = idempotency
    const earlier = known.get(position)
    if (earlier)
      return earlier.requestHash === requestHash ? earlier.outcome : { refused: 'keyReused' }
    const name = `${actorId} ${key}`
    const first = firsts.get(name)
    if (first)
      return first.requestHash === requestHash ? { sameAs: first.at } : { refused: 'keyReused' }
    firsts.set(name, { at: position, requestHash })
    return pause
  })
}

type HoldingBack = Pick<Facts, 'paused' | 'resting' | 'frozen' | 'unconfirmed' | 'closed'>

/**
 * The refusal of a closed account, a pause, a frozen account, an unconfirmed email or a rest. Most
 * reasons may be gone tomorrow.
 */
const heldBack = (
  operation: Operation,
  { paused, resting, frozen, unconfirmed, closed }: HoldingBack,
): Refused | undefined => {
  if (closed.has(ownerOf(operation) ?? '')) return { refused: 'accountClosed' }
  const pause = paused[operation.movement]
  if (pause) return pause
  if (operation.movement === 'withdrawal_paid')
    return frozen.has(operation.ownerId) ? { refused: 'ownerFrozen' } : undefined
  if (operation.movement !== 'withdrawal_held') return undefined
  const { by, needsConfirmedEmail } = operation
  if (frozen.has(by.id)) return { refused: 'accountFrozen' }
  if (needsConfirmedEmail && unconfirmed.has(by.id)) return { refused: 'emailUnconfirmed' }
  return resting.get(by.id)
}

/** Decides a group. `wallets` are those of deposit requests, by position. */
export const decide = (
  operations: readonly Operation[],
  facts: Facts,
  answered: ReturnType<typeof answerAtOnce>,
  wallets: ReadonlyMap<number, Wallet | Refused>,
): readonly Verdict[] => {
  const books = openBooks(facts)
  const verdicts: Verdict[] = []
  for (const [position, operation] of operations.entries()) {
    const answer = answered[position]
    if (answer === undefined) verdicts.push(decideOne(operation, books, wallets.get(position)))
    else {
      const outcome = 'sameAs' in answer ? verdicts[answer.sameAs]?.outcome : answer
      if (outcome) verdicts.push({ outcome, keep: false })
    }
  }
  return verdicts
}

/** The facts as the accepted operations change them. */
type Books = Pick<Facts, 'at' | 'matured' | 'staff' | 'limits'> & {
  readonly accounts: ReadonlyMap<string, Account>
  readonly balances: Map<Account['id'], bigint | null>
  readonly transactions: Map<string, Decidable>
  readonly completed: Set<string>
  readonly evidence: Map<string, string>
  readonly decidedAlone: DecidedAlone[]
}

const nameOf = ({ owner, kind }: AccountName): string => `${owner} ${kind}`

const openBooks = ({ accounts, transactions, evidence, decidedAlone, ...facts }: Facts): Books => ({
  ...facts,
  accounts: new Map(
    accounts.map((account) => [nameOf({ owner: account.ownerId, kind: account.kind }), account]),
  ),
  balances: new Map(accounts.map(({ id, balance }) => [id, balance])),
  transactions: new Map(transactions),
  completed: new Set(),
  evidence: new Map(evidence),
  decidedAlone: [...decidedAlone],
})

const decideOne = (
  operation: Operation,
  books: Books,
  wallet: Wallet | Refused | undefined,
): Verdict => {
  // There may be a wallet tomorrow, so this refusal leaves the key free.
  if (wallet && 'refused' in wallet) return { outcome: wallet, keep: false }
  const refused = refusedByState(operation, books)
  if (refused) return { outcome: refused, keep: true }
  const approval = isDecision(operation) ? approvalOf(operation, books) : undefined
  const missing = approval?.missing ?? 0
  const transfers = missing > 0 ? [] : move(legsOf(operation), books)
  if ('refused' in transfers) return { outcome: transfers, keep: true }

  if (isDecision(operation)) noteDecision(operation, approval, books)
  if (operation.movement === 'investment_matured') books.completed.add(operation.id)
  return {
    outcome: {
      ...posted(operation, books.at),
      ...(missing > 0 && { missing }),
      ...(wallet && { address: wallet.address, networkName: wallet.networkName }),
    },
    keep: true,
    accepted: { operation, transfers, approval, wallet },
  }
}

/** The refusal that the state of the row to change, or a missing right, demands. */
const refusedByState = (operation: Operation, books: Books): Refused | undefined => {
  if (operation.movement === 'investment_matured')
    return books.matured.has(operation.id) && !books.completed.has(operation.id)
      ? undefined
      : { refused: 'notMatured' }
  return isDecision(operation) ? refusedDecision(operation, books) : undefined
}

const refusedDecision = (decided: Decided, books: Books): Refused | undefined => {
  const { id, by, ownerId } = decided
  const transaction = books.transactions.get(id)
  if (!transaction) return { refused: 'transactionNotFound' }
  if (transaction.status !== 'PENDING')
    return { refused: 'alreadyDecided', status: transaction.status }
  // Only the owner cancels, and learns of no other rows.
  if (isEnding(decided) && decided.cancels)
    return transaction.ownerId === by.id ? undefined : { refused: 'transactionNotFound' }
  if (transaction.ownerId === by.id) return { refused: 'ownTransaction' }
  if (!books.staff.has(by.id)) return { refused: 'forbidden' }
  if (transaction.ownerId !== ownerId) return { refused: 'ownerMismatch' }
  if (isEnding(decided)) return undefined

  if (decided.movement === 'withdrawal_paid') {
    const { payeeAddress = transaction.payee } = decided
    if (payeeAddress !== transaction.payee) return { refused: 'payeeChanged' }
  } else if (decided.evidence) {
    const evidenceOf = books.evidence.get(evidenceName(decided.evidence))
    if (evidenceOf !== undefined && evidenceOf !== id) return { refused: 'evidenceUsed' }
    if (transaction.evidence !== null && transaction.evidence !== decided.evidence.id)
      return { refused: 'evidenceDiffers' }
  }
  if (transaction.approvals.some((each) => each.by === by.id)) return { refused: 'approvedAlready' }
  const last = transaction.approvals.at(-1)
  return last && last.amount !== decided.amount
    ? { refused: 'amountDiffers', amount: String(last.amount) }
    : undefined
}

/**
 * The approvals of a decision. Those of another amount do not count. Undefined for a rejection,
 * which needs none.
 */
const approvalOf = (decided: Decided, books: Books): Approval | undefined => {
  const transaction = books.transactions.get(decided.id)
  if (isEnding(decided) || !transaction) return undefined
  const { amount, by, ownerId } = decided
  const use = limitUse(books.limits, books.decidedAlone, by.id)
  const approvals = transaction.approvals.filter((each) => each.amount === amount)
  // A second person stays needed once one was.
  const now = exceededLimit(use, { investorId: ownerId, amount }) ? 2 : 1
  const needed = Math.max(now, transaction.needed)
  const missing = Math.max(0, needed - approvals.length - 1)
  return { needed, missing, payee: transaction.payee }
}

/**
 * Makes all transfers in the books, or none. Money received earlier in the group can be spent.
 */
const move = (
  legs: readonly OperationLeg[],
  { accounts, balances }: Books,
): readonly Transfer[] | Refused => {
  const after = new Map<Account['id'], bigint | null>()
  const transfers: Transfer[] = []
  for (const { from, to, amount } of legs) {
    const [source, target] = [accounts.get(nameOf(from)), accounts.get(nameOf(to))]
    if (!source || !target)
      return { refused: 'internal', why: 'names an account that was never opened' }
    const balanceOf = ({ id }: Account) =>
      (after.has(id) ? after.get(id) : balances.get(id)) ?? null
    const balance = balanceOf(source)
    if (balance !== null && balance < amount) return shortOf(source, balance)
    if (balance !== null) after.set(source.id, balance - amount)
    const received = balanceOf(target)
    if (received !== null) after.set(target.id, received + amount)
    transfers.push({ from: source.id, to: target.id, amount })
  }
  for (const [id, balance] of after) balances.set(id, balance)
  return transfers
}

const shortOf = ({ kind }: Account, balance: bigint): Refused => {
  if (kind === 'available') return { refused: 'insufficientFunds', balance: String(balance) }
  if (kind === 'reserve') return { refused: 'reserveExhausted' }
  return { refused: 'internal', why: `found only ${balance} cents in ${kind}` }
}

/** Notes an accepted decision, which later ones of the group see. */
const noteDecision = (
  decided: Decided,
  approval: Approval | undefined,
  { transactions, evidence, decidedAlone }: Books,
): void => {
  const { id, by, ownerId, amount, movement } = decided
  const transaction = transactions.get(id)
  if (!transaction) return
  const proof = movement === 'deposit_confirmed' ? decided.evidence : undefined
  transactions.set(id, {
    ...transaction,
    status: approval?.missing ? 'PENDING' : statusAfter(movement),
    needed: approval?.needed ?? transaction.needed,
    evidence: proof?.id ?? transaction.evidence,
    approvals: [...transaction.approvals, { by: by.id, amount }],
  })
  if (proof) evidence.set(evidenceName(proof), id)
  if (approval?.needed === 1) decidedAlone.push({ approver: by.id, investor: ownerId, amount })
}

/** Names a transaction on a chain. */
export const evidenceName = ({ network, id }: { readonly network: string; readonly id: string }) =>
  `${network} ${id}`

const posted = (operation: Operation, at: string): Posted => ({
  id: operation.id,
  at,
  ...(operation.movement === 'investment_opened' && {
    maturesAt: new Date(Date.parse(at) + operation.durationSeconds * 1000).toISOString(),
  }),
})

/**
 * The accounts that operations name, each once. A deposit request moves nothing, and names one for
 * its owner's standing.
 */
export const accountsOf = (operations: readonly Operation[]): readonly AccountName[] => {
  const names = new Map<string, AccountName>()
  for (const { from, to } of operations.flatMap(legsOf)) {
    names.set(nameOf(from), from)
    names.set(nameOf(to), to)
  }
  for (const operation of operations)
    if (operation.movement === 'deposit_requested') {
      const account = { owner: operation.by.id, kind: 'available' } as const
      names.set(nameOf(account), account)
    }
  return [...names.values()]
}
