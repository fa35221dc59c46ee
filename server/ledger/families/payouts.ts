/**
 * Approved withdrawals: their amount lies in `outgoing` until they are completed or given back
 * (docs/decisions/051).
 */
import { type Cents, cents } from '@pool/contract/base/money'
import type { TransactionStatus } from '@pool/contract/requests/transactions'
import type { Evidence } from './decisions.ts'
import { countAlone, type Lone, limitExceeded, lone, personOf } from './lone.ts'
import type {
  Asker,
  Expected,
  Movement,
  Refused,
  SignedEntry,
  Statement,
  StateReading,
} from './movement.ts'
import { transactionsOf } from './requests.ts'

const COMPLETED: Statement = {
  name: 'completed_payouts',
  text: `
UPDATE transactions AS t SET status = 'COMPLETED', completed_at = now(), completed_by = c.by, completed_basis = c.basis,
  sent_evidence = coalesce(c.evidence, t.sent_evidence),
  sent_output = CASE WHEN c.evidence IS NULL THEN t.sent_output ELSE c.output END
FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::integer[]) AS c (id, by, basis, evidence, output)
WHERE t.id = c.id`,
}

const RETURNED: Statement = {
  name: 'returned',
  text: `
UPDATE transactions AS t SET status = 'RETURNED', returned_at = now(), return_id = r.return_id, reason = r.reason
FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS r (id, return_id, reason) WHERE t.id = r.id`,
}

type OfWithdrawal = {
  readonly id: string
  readonly ownerId: string
  readonly amount: Cents
  readonly entry: SignedEntry
}

/** Staff mark a sent withdrawal as completed, or the product does on the chain's evidence. */
export type WithdrawalCompleted = OfWithdrawal & {
  readonly movement: 'withdrawal_completed'
} & (
    | { readonly by: Asker }
    | {
        readonly by?: never
        /** The facts that the product rests on, in words, kept on record. */
        readonly basis: string
        /**
         * The transaction that paid it, where the product marked it as sent: a higher fee makes
         * another one than was first seen.
         */
        readonly evidence: Pick<Evidence, 'id' | 'output'> | undefined
      }
  )

/** The product gives back what two people agreed to. */
export type WithdrawalReturned = OfWithdrawal & {
  readonly movement: 'withdrawal_returned'
  /** The proposal that they agreed on. */
  readonly returnId: string
  readonly reason: string
}

export type PayoutOperation = WithdrawalCompleted | WithdrawalReturned

const PAYOUTS = `
SELECT id, user_id AS "ownerId", accounts_of(user_id) AS "ownerIds", amount, fee, status, CASE WHEN approvals_needed = 1 AND ending = 'decided' AND updated_at > now() - interval '24 hours'
    THEN coalesce((SELECT person FROM same_people() WHERE account = decided_by), decided_by) END AS "countedFor"
FROM transactions AS t WHERE id = ANY ($1::uuid[]) AND type = 'withdrawal'`

/** A locked withdrawal. */
type Payout = {
  readonly ownerId: string
  /** The accounts of the person who owns it: none of them marks it. */
  readonly ownerIds: readonly string[]
  readonly amount: bigint
  /** Cents of the network's fee that its owner bears. */
  readonly fee: bigint
  readonly status: string
  /** The person who approved it alone in the last 24 hours, whose limits count it. */
  readonly countedFor: string | null
}

const payouts: StateReading<PayoutOperation, Map<string, Payout>> = {
  read: async (query, operations) => {
    const rows = await query<Payout & { id: string }>('read_payouts', PAYOUTS, [
      operations.map(({ id }) => id),
    ])
    return new Map(rows.map(({ id, ...payout }) => [id, payout]))
  },
}

const RETURNS = `
SELECT id, subject FROM proposals WHERE id = ANY ($1::uuid[]) AND kind = 'RETURN_WITHDRAWAL' AND status = 'DONE'`

/** The withdrawals that two people agreed to give back, by proposal. */
const agreed: StateReading<WithdrawalReturned, ReadonlyMap<string, string>> = {
  read: async (query, operations) => {
    const rows = await query<{ id: string; subject: string }>('read_agreed_returns', RETURNS, [
      operations.map(({ returnId }) => returnId),
    ])
    return new Map(rows.map(({ id, subject }) => [id, subject]))
  },
}

/** The withdrawal, if it is as the operation says. */
const payoutOf = (
  { id, ownerId, amount }: OfWithdrawal,
  state: Map<string, Payout>,
): Payout | Refused => {
  const payout = state.get(id)
  if (!payout || payout.amount !== amount) return { refused: 'transactionNotFound' }
  return payout.ownerId === ownerId ? payout : { refused: 'ownerMismatch' }
}

/** The columns of a completion by the product. Empty for one by staff. */
const evidenceOf = (completed: WithdrawalCompleted) =>
  completed.by
    ? [undefined, undefined, undefined]
    : [completed.basis, completed.evidence?.id, completed.evidence?.output]

/** A mark as an act of one person alone. Nothing more for who approved it alone that day. */
const markBy = (
  by: Asker,
  { ownerId, amount }: OfWithdrawal,
  { countedFor }: Payout,
  state: Lone,
) => ({
  by: by.id,
  about: countedFor === null ? ownerId : null,
  amount: countedFor === personOf(state, by.id) ? cents(0n) : amount,
})

const rows = transactionsOf('withdrawal')

export const payoutMovements = {
  /** The coins of a sent withdrawal have arrived, and left the pool's wallets. */
  withdrawal_completed: {
    legs: [{ from: 'outgoing', to: 'custody', moves: 'amount' }],
    alsoPosts: 'withdrawal_fee_kept',
    expected: { rows, statuses: ['COMPLETED'] } satisfies Expected<TransactionStatus>,
    locks: 'transactions',
    reads: { payouts, lone },
    rule: (completed, { payouts, lone }) => {
      const { id, by, entry } = completed
      const payout = payoutOf(completed, payouts)
      if ('refused' in payout) return payout
      if (by && payout.ownerIds.includes(by.id)) return { refused: 'ownTransaction' }
      // A repeat changes nothing.
      if (payout.status === 'COMPLETED') return { movesNothing: true }
      const { status } = payout
      if (status !== 'PROCESSING') return { refused: 'notToComplete', status }
      const act = by && markBy(by, completed, payout, lone)
      const why = act && limitExceeded(lone, act)
      if (why) return { refused: 'takesTwo', why }
      return {
        rows: [{ into: COMPLETED, values: [id, by?.id, ...evidenceOf(completed)] }],
        amounts: { fee: cents(payout.fee) },
        entry,
        note: () => {
          payouts.set(id, { ...payout, status: 'COMPLETED' })
          if (act) countAlone(lone, act)
        },
      }
    },
  } satisfies Movement<WithdrawalCompleted, { payouts: Map<string, Payout>; lone: Lone }>,

  /** An approved or sent withdrawal was given back. Its amount can be spent again. */
  withdrawal_returned: {
    legs: [{ from: 'outgoing', to: 'available', moves: 'amount' }],
    alsoPosts: 'withdrawal_fee_returned',
    expected: { rows, statuses: ['RETURNED'] } satisfies Expected<TransactionStatus>,
    locks: 'transactions',
    reads: { payouts, agreed },
    rule: (returned, { payouts, agreed }) => {
      const { id, returnId, reason, entry } = returned
      const payout = payoutOf(returned, payouts)
      if ('refused' in payout) return payout
      if (agreed.get(returnId) !== id) return { refused: 'proposalClosed' }
      const { status } = payout
      if (status !== 'APPROVED' && status !== 'PROCESSING')
        return { refused: 'notToReturn', status }
      return {
        rows: [{ into: RETURNED, values: [id, returnId, reason] }],
        amounts: { fee: cents(payout.fee) },
        entry,
        note: () => void payouts.set(id, { ...payout, status: 'RETURNED' }),
      }
    },
  } satisfies Movement<
    WithdrawalReturned,
    { payouts: Map<string, Payout>; agreed: ReadonlyMap<string, string> }
  >,
}
