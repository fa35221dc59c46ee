/** Writes the accepted operations of a group and commits. */
import type { TransactionStatus, TransactionType } from '@pool/contract/transactions'
import type { PoolClient } from 'pg'
import type { Accepted, Verdict } from './decide.ts'
import {
  isDecision,
  isEnding,
  type Operation,
  type Recorded,
  type SignedEntry,
  statusAfter,
} from './operation.ts'

type Statement = {
  readonly name: string
  readonly text: string
  /** The rows to write. A statement without any is left out. */
  readonly rows: readonly (readonly unknown[])[]
}

const CONTRIBUTIONS = `
INSERT INTO contributions (id, amount, note, contributed_by, created_at)
SELECT *, now() FROM unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[])`

const COMPLETED = `
UPDATE transactions SET investment_status = 'COMPLETED', updated_at = now() WHERE id = ANY ($1::uuid[])`

const INVESTMENTS = `
INSERT INTO transactions
  (id, user_id, type, amount, status, rate_basis_points, interest, duration_days, matures_at, investment_status, created_at, updated_at)
SELECT id, user_id, 'investment', principal, 'COMPLETED', rate, interest, days, now() + make_interval(secs => seconds), 'ACTIVE', now(), now()
FROM unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::integer[], $5::bigint[], $6::integer[], $7::double precision[])
  AS opened (id, user_id, principal, rate, interest, days, seconds)`

const TRANSACTIONS = `
INSERT INTO transactions
  (id, user_id, type, amount, status, description, destination_address, destination_network, investment_id, wallet_id, created_at, updated_at)
SELECT *, now(), now() FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[], $9::uuid[], $10::uuid[])`

const APPROVALS = `
INSERT INTO approvals (transaction_id, approved_by, payee_address, amount)
SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[])`

/**
 * A transaction that waits for another approval stays PENDING and keeps its evidence. A confirmed
 * deposit has the amount received.
 */
const DECISIONS = `
UPDATE transactions AS t SET status = d.status, reason = d.reason,
  amount = coalesce(d.received, t.amount), requested_amount = CASE WHEN d.received <> t.amount THEN t.amount END,
  decided_by = CASE WHEN d.status <> 'PENDING' THEN d.decided_by END,
  evidence_network = coalesce(d.evidence_network, t.evidence_network), evidence = coalesce(d.evidence, t.evidence),
  approvals_needed = greatest(d.needed, t.approvals_needed),
  payee_address = CASE WHEN d.status = 'APPROVED' THEN nullif(d.payee, '') END, updated_at = now()
FROM unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[], $5::text[], $6::text[], $7::smallint[], $8::text[], $9::bigint[])
  AS d (id, status, reason, decided_by, evidence_network, evidence, needed, payee, received)
WHERE t.id = d.id`

const KEYS = `
INSERT INTO idempotency_keys (actor_id, key, request_hash, outcome)
SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::jsonb[])`

/** Written last: their trigger writes the balances. */
const MOVEMENTS = `
INSERT INTO movements
  (reference_id, name, from_account_id, to_account_id, amount, interest_from_account_id, interest_to_account_id, interest)
SELECT * FROM unnest($1::uuid[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[])`

/** An outcome that an earlier group committed. */
const isRepeat = ({ accepted, outcome }: Verdict): boolean => !accepted && !('refused' in outcome)

/**
 * Its commit waits until a standby has it, and with it all that came before. A commit that changes
 * nothing does not wait.
 */
const AFTER_ALL_BEFORE = "SELECT pg_logical_emit_message(true, 'repeat', '')"

/**
 * Writes the verdicts on the operations and commits. One round trip. The outcome of a repeat may
 * have been committed without a standby, so it is answered once one has it.
 */
export const writeAndCommit = async (
  client: PoolClient,
  operations: readonly Operation[],
  verdicts: readonly Verdict[],
): Promise<void> => {
  const accepted = verdicts.flatMap((verdict) => verdict.accepted ?? [])
  const rows = [...rowsOf(accepted), keysOf(operations, verdicts), movementsOf(accepted)]
  await Promise.all([
    ...decisionsOf(accepted).flatMap((each) =>
      each.rows.length > 0 ? client.query(alone(each)) : [],
    ),
    client.query(together(rows.filter((each) => each.rows.length > 0))),
    ...(verdicts.some(isRepeat) ? [client.query(AFTER_ALL_BEFORE)] : []),
    client.query('COMMIT'),
  ])
}

const alone = ({ name, text, rows }: Statement) => ({ name, text, values: columnsOf(rows) })

const texts = new Map<string, string>()

/** One statement for several, which spares the database the start and end of each. */
const together = (statements: readonly Statement[]) => {
  const name = statements.map((each) => each.name).join(' ') || 'nothing'
  let text = texts.get(name)
  if (text === undefined) {
    let before = 0
    const parts = statements.map((each) => {
      const first = before
      before += each.rows[0]?.length ?? 0
      return `${each.name} AS (${each.text.replaceAll(/\$(\d+)/g, (_, n) => `$${first + Number(n)}`)})`
    })
    text = parts.length > 0 ? `WITH ${parts.join(', ')} SELECT` : 'SELECT'
    texts.set(name, text)
  }
  return { name, text, values: statements.flatMap(({ rows }) => columnsOf(rows)) }
}

const columnsOf = (rows: readonly (readonly unknown[])[]): unknown[] =>
  (rows[0] ?? []).map((_, column) => rows.map((row) => row[column]))

const rowsOf = (accepted: readonly Accepted[]): readonly Statement[] => {
  const contributions: unknown[][] = []
  const investments: unknown[][] = []
  const completed: unknown[][] = []
  const transactions: unknown[][] = []
  for (const { operation, wallet } of accepted)
    switch (operation.movement) {
      case 'capital_contributed':
        contributions.push([
          operation.id,
          operation.amount,
          operation.note,
          operation.contributedBy,
        ])
        break
      case 'investment_opened':
        investments.push([
          operation.id,
          operation.by.id,
          operation.principal,
          operation.rateBasisPoints,
          operation.interest,
          operation.durationDays,
          operation.durationSeconds,
        ])
        break
      case 'investment_matured':
        completed.push([operation.id])
        transactions.push(
          transactionRow(operation.payoutId, operation.ownerId, 'payout', {
            amount: operation.principal + operation.interest,
            status: 'COMPLETED',
            investmentId: operation.id,
          }),
        )
        break
      case 'deposit_requested':
        transactions.push(
          transactionRow(operation.id, operation.by.id, 'deposit', {
            ...operation,
            status: 'PENDING',
            walletId: wallet?.walletId,
          }),
        )
        break
      case 'withdrawal_held':
        transactions.push(
          transactionRow(operation.id, operation.by.id, 'withdrawal', {
            ...operation,
            status: 'PENDING',
          }),
        )
        break
      case 'deposit_confirmed':
      case 'withdrawal_paid':
      case 'deposit_rejected':
      case 'withdrawal_released':
    }
  return [
    { name: 'contributions', text: CONTRIBUTIONS, rows: contributions },
    { name: 'investments', text: INVESTMENTS, rows: investments },
    { name: 'completed', text: COMPLETED, rows: completed },
    { name: 'transactions', text: TRANSACTIONS, rows: transactions },
  ]
}

type TransactionColumns = {
  readonly amount: bigint
  readonly status: TransactionStatus
  readonly description?: string
  readonly destinationAddress?: string
  readonly destinationNetwork?: string
  readonly investmentId?: string
  readonly walletId?: string | undefined
}

const transactionRow = (
  id: string,
  ownerId: string,
  type: TransactionType,
  row: TransactionColumns,
): unknown[] => [
  id,
  ownerId,
  type,
  row.amount,
  row.status,
  row.description ?? '',
  row.destinationAddress ?? '',
  row.destinationNetwork ?? '',
  row.investmentId,
  row.walletId,
]

/** Approvals before decisions: the database counts them when a status changes. */
const decisionsOf = (accepted: readonly Accepted[]): readonly Statement[] => {
  const approvals: unknown[][] = []
  // A group can hold both approvals of a transaction. The last one counts, with any evidence.
  const last = new Map<string, unknown[]>()
  const proofs = new Map<string, { readonly network: string; readonly id: string }>()
  const entries: SignedEntry[] = []
  for (const { operation, approval } of accepted) {
    if ('entry' in operation) entries.push(entryOf(operation, approval))
    if (!isDecision(operation)) continue
    const { id, by, movement, amount } = operation
    if (movement === 'deposit_confirmed' && operation.evidence) proofs.set(id, operation.evidence)
    if (approval && approval.needed > 1) approvals.push([id, by.id, approval.payee, amount])
    last.set(id, [
      id,
      approval?.missing ? 'PENDING' : statusAfter(movement),
      isEnding(operation) ? operation.reason : '',
      isEnding(operation) && operation.cancels ? null : by.id,
      proofs.get(id)?.network,
      proofs.get(id)?.id,
      approval?.needed,
      approval?.payee,
      movement === 'deposit_confirmed' && !approval?.missing ? amount : null,
    ])
  }
  return [
    { name: 'write_approvals', text: APPROVALS, rows: approvals },
    { name: 'write_decisions', text: DECISIONS, rows: [...last.values()] },
    {
      name: 'write_entries',
      text: 'SELECT write_entries(entries) FROM unnest($1::jsonb[]) AS entries',
      rows: entries.length > 0 ? [[JSON.stringify(entries)]] : [],
    },
  ]
}

/** Entries are signed as last approvals. A first one says so. */
const entryOf = (operation: Recorded & Operation, approval: Accepted['approval']): SignedEntry => {
  const { entry } = operation
  if (!approval?.missing) return entry
  return {
    ...entry,
    action: `${operation.movement === 'deposit_confirmed' ? 'deposit' : 'withdrawal'}.firstApproval`,
    after: { ...entry.after, status: 'PENDING' },
  }
}

/** In one order, so that two processes with the same keys cannot deadlock. */
const keysOf = (operations: readonly Operation[], verdicts: readonly Verdict[]): Statement => {
  const rows = operations.flatMap((operation, position) => {
    const idempotency = 'idempotency' in operation ? operation.idempotency : undefined
    const { keep, outcome } = verdicts[position] ?? {}
    if (!idempotency || !keep) return []
    const { actorId, key, requestHash } = idempotency
    return [
      { name: `${actorId} ${key}`, row: [actorId, key, requestHash, JSON.stringify(outcome)] },
    ]
  })
  return {
    name: 'keys',
    text: KEYS,
    rows: rows.sort((a, b) => (a.name < b.name ? -1 : 1)).map(({ row }) => row),
  }
}

const movementsOf = (accepted: readonly Accepted[]): Statement => ({
  name: 'movements',
  text: MOVEMENTS,
  rows: accepted.flatMap(({ operation: { movement, id }, transfers: [moved, interest] }) =>
    moved
      ? [
          [
            id,
            movement,
            moved.from,
            moved.to,
            moved.amount,
            interest?.from,
            interest?.to,
            interest?.amount,
          ],
        ]
      : [],
  ),
})
