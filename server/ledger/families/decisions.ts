/**
 * Decisions about requests: staff approve or reject them, and investors cancel their own. Deposits
 * and withdrawals share them, and the limits of one person (docs/decisions/011).
 */
import { type Cents, cents } from '@pool/contract/base/money'
import type { AuditAction } from '@pool/contract/reports/audit'
import { exceededLimit, exceedsShare, limitUse } from './approvalLimits.ts'
import type { Lone } from './lone.ts'
import type {
  OperationRequest,
  Refused,
  Ruling,
  SignedEntry,
  Statement,
  StateReading,
} from './movement.ts'

/** A decision about a request of this owner. `amount` is the cents approved. */
type About = {
  readonly id: string
  readonly ownerId: string
  readonly amount: Cents
  readonly entry: SignedEntry
}

/** A decision of a person. */
export type Decided = OperationRequest & About

/** A decision of the product itself, and in words what it rests on. */
export type Automatic = About & { readonly by?: never; readonly basis: string }

/** Ends a request without its effect. Staff reject it, or its investor cancels it. */
export type Ends = { readonly reason: string; readonly cancels?: true }

export const isEnding = <Decision extends object>(
  decision: Decision,
): decision is Extract<Decision, Ends> => 'reason' in decision

/** The status of a request after its last decision. */
export const statusAfter = (decision: object): 'APPROVED' | 'REJECTED' =>
  isEnding(decision) ? 'REJECTED' : 'APPROVED'

/** A transaction on a chain, or the numbered output of one. */
export type Evidence = {
  readonly network: string
  readonly id: string
  readonly output?: number | undefined
}

/** Evidence as text, with its output after a colon. */
export const evidenceText = ({
  id,
  output,
}: {
  readonly id: string
  readonly output?: number | null | undefined
}): string => (typeof output === 'number' ? `${id}:${output}` : id)

/** A locked request to decide about. */
export type Decidable = {
  readonly ownerId: string
  /** The accounts of the person who owns it: none of them decides about it. */
  readonly ownerIds: readonly string[]
  readonly status: string
  readonly needed: number
  /** As {@link evidenceText} writes it. */
  readonly evidence: string | null
  /** The wallet that a deposit pays. */
  readonly walletId: string | null
  /** The address that a withdrawal would be paid to now. */
  readonly payee: string
  /** Cents of the network's fee that the investor of a withdrawal bears. */
  readonly fee: bigint
  /** The staff who approved it for that address, each with the cents approved. Oldest first. */
  readonly approvals: readonly { readonly by: string; readonly amount: Cents }[]
  /** Evidence that an earlier operation of the group gave. */
  readonly proof?: Evidence | undefined
}

/** Requests, deciding people and limits, as the group's operations change them. */
export type Decisions = {
  readonly requests: Map<string, Decidable>
  /** Those of the deciding people who may decide, each with the id of the person (T52). */
  readonly staff: ReadonlyMap<string, string>
  /** Rows to write. A group can hold both approvals of a request; its last decision counts. */
  readonly approvals: unknown[][]
  readonly decided: Map<string, readonly unknown[]>
}

/** Requests to decide about, with their approvals for the address paid now. */
const DECIDABLE = `
SELECT id, user_id AS "ownerId", accounts_of(user_id) AS "ownerIds", status, approvals_needed AS needed, evidence || coalesce(':' || evidence_output, '') AS evidence, wallet_id AS "walletId", payee, fee, (
    SELECT jsonb_agg(jsonb_build_object('by', approved_by, 'amount', coalesce(a.amount, t.amount)::text) ORDER BY a.created_at)
    FROM approvals AS a WHERE transaction_id = id AND payee_address = payee
  ) AS approvals
FROM transactions AS t CROSS JOIN LATERAL (SELECT payee_of(t) AS payee OFFSET 0) AS paid
WHERE id = ANY ($1::uuid[])`

/** Staff in good standing among these people and the approvers of these requests. */
const STAFF = `
SELECT DISTINCT u.id, coalesce(s.person, u.id) AS person FROM users AS u JOIN user_roles AS r ON r.user_id = u.id
  LEFT JOIN same_people() AS s ON s.account = u.id
WHERE u.suspended_at IS NULL AND u.frozen_at IS NULL AND r.role IN ('ADMIN', 'SUPER_ADMIN')
  AND u.id = ANY ($1::uuid[] || ARRAY(SELECT approved_by FROM approvals WHERE transaction_id = ANY ($2::uuid[])))`

const APPROVALS: Statement = {
  name: 'write_approvals',
  text: `
INSERT INTO approvals (transaction_id, approved_by, payee_address, amount)
SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[])`,
}

/**
 * A request that waits for another approval stays PENDING and keeps its evidence. A confirmed
 * deposit has the amount received.
 */
const DECISIONS: Statement = {
  name: 'write_decisions',
  text: `
UPDATE transactions AS t SET status = d.status, reason = d.reason,
  amount = coalesce(d.received, t.amount), requested_amount = CASE WHEN d.received <> t.amount THEN t.amount END,
  decided_by = CASE WHEN d.status <> 'PENDING' THEN d.decided_by END,
  ending = d.ending, basis = d.basis,
  evidence_network = coalesce(d.evidence_network, t.evidence_network), evidence = coalesce(d.evidence, t.evidence),
  evidence_output = coalesce(d.evidence_output, t.evidence_output),
  approvals_needed = greatest(d.needed, t.approvals_needed),
  payee_address = CASE WHEN d.status = 'APPROVED' THEN nullif(d.payee, '') END,
  updated_at = now()
FROM unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[], $5::text[], $6::text[], $7::smallint[], $8::text[], $9::bigint[], $10::text[], $11::text[], $12::integer[])
  AS d (id, status, reason, decided_by, evidence_network, evidence, needed, payee, received, ending, basis, evidence_output)
WHERE t.id = d.id`,
}

export const decisions: StateReading<Decided | Automatic, Decisions> = {
  read: async (query, operations) => {
    const ids = operations.map(({ id }) => id)
    const [found, people] = await Promise.all([
      query<DecidableRow>('read_decidable', DECIDABLE, [ids]),
      query<{ id: string; person: string }>('read_staff', STAFF, [
        operations.flatMap(({ by }) => by?.id ?? []),
        ids,
      ]),
    ])
    const staff = new Map(people.map(({ id, person }) => [id, person]))
    return {
      requests: new Map(found.map(({ id, ...request }) => [id, decidable(request, staff)])),
      staff,
      approvals: [],
      decided: new Map(),
    }
  },
  // Approvals before decisions: the database counts them when a status changes.
  write: ({ approvals, decided }) => [
    { into: APPROVALS, rows: approvals },
    { into: DECISIONS, rows: [...decided.values()] },
  ],
}

type DecidableRow = Omit<Decidable, 'approvals' | 'proof'> & {
  readonly id: string
  readonly approvals: readonly { readonly by: string; readonly amount: string }[] | null
}

const decidable = (
  { approvals, ...request }: Omit<DecidableRow, 'id'>,
  staff: ReadonlyMap<string, string>,
): Decidable => ({
  ...request,
  approvals: (approvals ?? [])
    .filter(({ by }) => staff.has(by) && !request.ownerIds.includes(by))
    .map(({ by, amount }) => ({ by, amount: cents(BigInt(amount)) })),
})

/** Rejects a request, or cancels it for its investor. */
export const endRequest = (ending: Decided & Ends, state: Decisions): Ruling | Refused => {
  const request = openRequest(ending, state)
  if ('refused' in request) return request
  const { id, by, reason, cancels, entry } = ending
  return {
    amounts: { fee: cents(request.fee) },
    entry,
    note: () => {
      state.requests.set(id, { ...request, status: 'REJECTED' })
      const how = cancels ? { ending: 'cancelled' as const } : { ending: 'decided' as const, by }
      state.decided.set(id, decisionRow({ id, status: 'REJECTED', reason, ...how }))
    },
  }
}

/** The rules that approving a deposit or a withdrawal has of its own. */
type OfKind = {
  /** The refusal that the kind of request demands. */
  readonly refused: (request: Decidable) => Refused | undefined
  /** The name of an approval that is not the last, on record. */
  readonly firstApproval: AuditAction
  readonly proof?: Evidence | undefined
  /** True if two people must approve it, also below the limits. */
  readonly needsTwo?: ((request: Decidable) => boolean) | undefined
  /** True for a deposit, which takes the amount approved. */
  readonly receives?: true
  readonly note?: () => void
}

/** An approval's state: the requests, and what one person did alone. */
type Approving = Decisions & { readonly lone: Lone }

/** Approves a request, or is one of the approvals that it needs. */
export const approveRequest = (
  approval: Decided | Automatic,
  state: Approving,
  { refused, firstApproval, proof, needsTwo, receives, note }: OfKind,
): Ruling | Refused => {
  const request = openRequest(approval, state)
  if ('refused' in request) return request
  const refusal = refused(request) ?? refusedApproval(approval, request, state)
  if (refusal) return refusal
  const { id, by, ownerId, amount, entry } = approval
  const basis = 'basis' in approval ? approval.basis : undefined
  const least = needsTwo?.(request) ? 2 : request.needed
  const { needed, missing } = approvalsFor(approval, { ...request, needed: least }, state)
  // The product is no second person, and decides nothing above a limit or a person's share.
  if (!by && (needed > 1 || exceedsShare(state.lone, { ...request, amount })))
    return { refused: 'forbidden' }
  const waits = missing > 0
  const status = waits ? 'PENDING' : 'APPROVED'
  return {
    // Entries are signed as last approvals. A first one says so.
    entry: waits ? { ...entry, action: firstApproval, after: { ...entry.after, status } } : entry,
    ...(waits && { posted: { missing }, movesNothing: true }),
    note: () => {
      const known = proof ?? request.proof
      state.requests.set(id, {
        ...request,
        status,
        needed,
        evidence: proof ? evidenceText(proof) : request.evidence,
        approvals: by ? [...request.approvals, { by: by.id, amount }] : request.approvals,
        proof: known,
      })
      if (needed === 1)
        state.lone.decidedAlone.push({ approver: personOf(state, by), investor: ownerId, amount })
      else state.approvals.push([id, by?.id, request.payee, amount])
      state.decided.set(
        id,
        decisionRow({
          id,
          status,
          by,
          ...(!waits && (by ? { ending: 'decided' } : { ending: 'automatic', basis })),
          proof: known,
          needed,
          payee: request.payee,
          ...(receives && !waits && { received: amount }),
        }),
      )
      note?.()
    },
  }
}

type DecisionRow = {
  readonly id: string
  readonly status: string
  readonly reason?: string
  readonly by?: { readonly id: string } | undefined
  readonly ending?: 'decided' | 'cancelled' | 'automatic'
  readonly basis?: string | undefined
  readonly proof?: Evidence | undefined
  readonly needed?: number
  readonly payee?: string
  readonly received?: Cents
}

const decisionRow = (row: DecisionRow): readonly unknown[] => [
  row.id,
  row.status,
  row.reason ?? '',
  row.by?.id,
  row.proof?.network,
  row.proof?.id,
  row.needed,
  row.payee,
  row.received,
  row.ending,
  row.basis,
  row.proof?.output,
]

/** The request, if this person, or the product, may decide about it now. */
const openRequest = (
  decided: (Decided | Automatic) & Partial<Ends>,
  { requests, staff }: Decisions,
): Decidable | Refused => {
  const { id, by, ownerId, cancels } = decided
  const request = requests.get(id)
  if (!request) return { refused: 'transactionNotFound' }
  if (request.status !== 'PENDING') return { refused: 'alreadyDecided', status: request.status }
  // Only the owner cancels, and learns of no other rows.
  if (cancels) return request.ownerId === by?.id ? request : { refused: 'transactionNotFound' }
  if (by && request.ownerIds.includes(by.id)) return { refused: 'ownTransaction' }
  if (by && !staff.has(by.id)) return { refused: 'forbidden' }
  return request.ownerId === ownerId ? request : { refused: 'ownerMismatch' }
}

/** The person behind an account of staff. Null for the product. */
const personOf = ({ staff }: Decisions, by: { readonly id: string } | undefined) =>
  by ? (staff.get(by.id) ?? by.id) : null

const refusedApproval = (
  { by, amount }: Decided | Automatic,
  { approvals }: Decidable,
  state: Decisions,
): Refused | undefined => {
  if (approvals.some((each) => each.by === by?.id)) return { refused: 'approvedAlready' }
  if (approvals.some((each) => personOf(state, { id: each.by }) === personOf(state, by)))
    return { refused: 'samePerson' }
  const last = approvals.at(-1)
  return last && last.amount !== amount
    ? { refused: 'amountDiffers', amount: String(last.amount) }
    : undefined
}

/** The number of approvals needed and missing. Those of another amount do not count. */
const approvalsFor = (
  { amount, by, ownerId }: Decided | Automatic,
  request: Decidable,
  state: Approving,
) => {
  const { limits, decidedAlone } = state.lone
  const use = limitUse(limits, decidedAlone, personOf(state, by))
  const approvals = request.approvals.filter((each) => each.amount === amount)
  // A second person stays needed once one was.
  const now = exceededLimit(use, { investorId: ownerId, amount }) ? 2 : 1
  const needed = Math.max(now, request.needed)
  return { needed, missing: Math.max(0, needed - approvals.length - 1) }
}
