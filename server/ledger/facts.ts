/** Reads the rows that a group is decided by. */
import { cents } from '@pool/contract/money'
import { timestampFromDate } from '@pool/contract/timestamp'
import type { PoolClient } from 'pg'
import type { DecidedAlone } from './approvalLimits.ts'
import {
  type Account,
  accountsOf,
  type Decidable,
  evidenceName,
  type Facts,
  type Wallet,
} from './decide.ts'
import {
  type Decided,
  isDecision,
  type Operation,
  type Outcome,
  ownerOf,
  type Refused,
  statusAfter,
} from './operation.ts'

/**
 * Begins a group. Changes of pauses, roles and sessions take this lock exclusively, so they wait
 * for its commit. Plans must not depend on the size of the tables when they were made.
 */
const BEGIN = `BEGIN;
SET LOCAL enable_seqscan = off;
SET LOCAL plan_cache_mode = force_generic_plan;
SET LOCAL idle_in_transaction_session_timeout = '10s';
SELECT pg_advisory_xact_lock_shared(7031987)`

/** Groups that approve run one at a time, so that each counts the decisions of the one before. */
const APPROVE_IN_TURN = '; SELECT pg_advisory_xact_lock(7031991)'

// A statement that waited for a lock returns the latest row, and the ones after it read newer rows.

const TRANSACTIONS = `
SELECT id, investment_status = 'ACTIVE' AND matures_at <= now() AS matured FROM transactions
WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE`

/** Not locked: a balance that another process spends meanwhile fails its CHECK, a lost race. */
const ACCOUNTS = `
SELECT a.id, a.owner_id AS "ownerId", a.kind, a.balance, a.closed_at IS NOT NULL AS closed
FROM unnest($1::uuid[], $2::text[]) AS named (owner_id, kind)
CROSS JOIN LATERAL (SELECT * FROM accounts WHERE owner_id = named.owner_id AND kind = named.kind LIMIT 1) AS a`

/** Keys on record, ended sessions and pauses. Almost always none. */
const ANSWERS = `
SELECT to_jsonb(now()) #>> '{}' AS at, (
    SELECT jsonb_agg(jsonb_build_object('at', o.at - 1, 'requestHash', k.request_hash, 'outcome', k.outcome))
    FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS o (actor_id, key, at)
    CROSS JOIN LATERAL (
      SELECT request_hash, outcome FROM idempotency_keys WHERE actor_id = o.actor_id AND key = o.key LIMIT 1
    ) AS k
  ) AS known, (
    SELECT array_agg(o.at::int - 1) FROM unnest($3::bytea[], $4::uuid[]) WITH ORDINALITY AS o (session, user_id, at)
    WHERE o.session IS NOT NULL AND (
      SELECT true FROM sessions AS s JOIN users AS u ON u.id = s.user_id
      WHERE s.token_hash = o.session AND s.user_id = o.user_id AND u.suspended_at IS NULL AND is_living(s) LIMIT 1
    ) IS NULL
  ) AS ended, (
    SELECT jsonb_object_agg(movement, jsonb_build_object('refused', 'paused', 'name', name, 'reason', reason))
    FROM pauses WHERE paused_at IS NOT NULL
  ) AS paused`

/**
 * Frozen accounts, unconfirmed emails and resting withdrawals. A freeze and a rest begin after the
 * groups under way, as a pause. A confirmed email stays confirmed.
 */
const RESTING = `
SELECT id, CASE WHEN withdrawals_rest_until > now() THEN withdrawals_rest_until END AS until,
  frozen_at IS NOT NULL AS frozen, email_confirmed_at IS NULL AS unconfirmed FROM users
WHERE id = ANY ($1::uuid[])
  AND (frozen_at IS NOT NULL OR email_confirmed_at IS NULL OR withdrawals_rest_until > now())`

/** Transactions to decide about, with their approvals for the address paid now. */
const DECIDABLE = `
SELECT id, user_id AS "ownerId", status, approvals_needed AS needed, evidence, payee, (
    SELECT jsonb_agg(jsonb_build_object('by', approved_by, 'amount', coalesce(a.amount, t.amount)::text) ORDER BY a.created_at)
    FROM approvals AS a WHERE transaction_id = id AND payee_address = payee
  ) AS approvals
FROM transactions AS t CROSS JOIN LATERAL (SELECT payee_of(t) AS payee OFFSET 0) AS paid
WHERE id = ANY ($1::uuid[])`

/** Staff in good standing among these people and the approvers of these transactions. */
const STAFF = `
SELECT DISTINCT u.id FROM users AS u JOIN user_roles AS r ON r.user_id = u.id
WHERE u.suspended_at IS NULL AND u.frozen_at IS NULL AND r.role IN ('ADMIN', 'SUPER_ADMIN')
  AND u.id = ANY ($1::uuid[] || ARRAY(SELECT approved_by FROM approvals WHERE transaction_id = ANY ($2::uuid[])))`

const EVIDENCE = `
SELECT t.id, t.evidence_network AS network, t.evidence
FROM transactions AS t JOIN unnest($1::text[], $2::text[]) AS named (network, evidence)
  ON t.evidence_network = named.network AND t.evidence = named.evidence`

const LIMITS = 'SELECT per_person AS "perPerson", per_pool AS "perPool" FROM approval_limits'
const DECIDED_ALONE = 'SELECT approver, investor, amount FROM decided_alone()'

/**
 * Begins a transaction, locks the transactions to decide about, and reads what the operations are
 * decided by. One round trip.
 */
export const readFacts = async (
  client: PoolClient,
  operations: readonly Operation[],
): Promise<Facts> => {
  const query = <Row>(name: string, text: string, values: readonly unknown[] = []) =>
    client
      .query<Row & Record<string, unknown>>({ name, text, values: [...values] })
      .then(({ rows }): Row[] => rows)
  const decided = operations.filter(isDecision)
  const changed = operations.flatMap((each) =>
    isDecision(each) || each.movement === 'investment_matured' ? [each.id] : [],
  )
  const approves = decided.some(({ movement }) => statusAfter(movement) === 'APPROVED')

  const named = accountsOf(operations)
  const withdrawn = operations.filter(
    ({ movement }) => movement === 'withdrawal_held' || movement === 'withdrawal_paid',
  )
  const [, transactions, accounts, answers, resting, decisions] = await Promise.all([
    client.query(approves ? BEGIN + APPROVE_IN_TURN : BEGIN),
    changed.length > 0
      ? query<{ id: string; matured: boolean | null }>('lock_transactions', TRANSACTIONS, [changed])
      : [],
    query<Account & { closed: boolean }>('read_accounts', ACCOUNTS, [
      named.map(({ owner }) => owner),
      named.map(({ kind }) => kind),
    ]),
    query<Answers>('read_answers', ANSWERS, answersBy(operations)),
    withdrawn.length > 0 ? query<Resting>('read_resting', RESTING, [withdrawn.map(ownerOf)]) : [],
    decided.length > 0 ? readDecisions(query, decided) : NO_DECISIONS,
  ])
  const { at = '', known, ended, paused } = answers[0] ?? {}
  return {
    at,
    ended: new Set(ended ?? []),
    known: new Map((known ?? []).map((each) => [each.at, each])),
    paused: paused ?? {},
    resting: new Map(
      resting.flatMap(({ id, until, frozen }) =>
        until && !frozen
          ? [[id, { refused: 'withdrawalsRest', until: timestampFromDate(until) }]]
          : [],
      ),
    ),
    frozen: new Set(resting.flatMap(({ id, frozen }) => (frozen ? [id] : []))),
    unconfirmed: new Set(resting.flatMap(({ id, unconfirmed }) => (unconfirmed ? [id] : []))),
    closed: new Set(accounts.flatMap(({ ownerId, closed }) => (closed ? [ownerId] : []))),
    accounts,
    matured: new Set(transactions.flatMap(({ id, matured }) => (matured ? [id] : []))),
    ...decisions,
  }
}

type Query = <Row>(name: string, text: string, values?: readonly unknown[]) => Promise<Row[]>

type Resting = {
  readonly id: string
  readonly until: Date | null
  readonly frozen: boolean
  readonly unconfirmed: boolean
}

type Answers = {
  readonly at: string
  readonly known: readonly { at: number; requestHash: string; outcome: Outcome }[] | null
  readonly ended: readonly number[] | null
  readonly paused: Readonly<Record<string, Refused>> | null
}

const answersBy = (operations: readonly Operation[]) => {
  const keys = operations.map((each) => ('idempotency' in each ? each.idempotency : undefined))
  const askers = operations.map((each) => ('by' in each ? each.by : undefined))
  return [
    keys.map((each) => each?.actorId ?? null),
    keys.map((each) => each?.key ?? null),
    askers.map((each) => (each?.session === undefined ? null : `\\x${each.session}`)),
    askers.map((each) => each?.id ?? null),
  ]
}

type DecisionFacts = Pick<Facts, 'transactions' | 'staff' | 'evidence' | 'limits' | 'decidedAlone'>

const NO_DECISIONS: DecisionFacts = {
  transactions: new Map(),
  staff: new Set(),
  evidence: new Map(),
  limits: { perPerson: cents(0n), perPool: cents(0n) },
  decidedAlone: [],
}

type DecidableRow = Omit<Decidable, 'approvals'> & {
  readonly id: string
  readonly approvals: readonly { readonly by: string; readonly amount: string }[] | null
}

const readDecisions = async (query: Query, decided: readonly Decided[]): Promise<DecisionFacts> => {
  const ids = decided.map(({ id }) => id)
  const proofs = decided.flatMap((each) =>
    each.movement === 'deposit_confirmed' && each.evidence ? [each.evidence] : [],
  )
  const [transactions, people, evidence, limits, decidedAlone] = await Promise.all([
    query<DecidableRow>('read_decidable', DECIDABLE, [ids]),
    query<{ id: string }>('read_staff', STAFF, [decided.map(({ by }) => by.id), ids]),
    query<{ id: string; network: string; evidence: string }>('read_evidence', EVIDENCE, [
      proofs.map(({ network }) => network),
      proofs.map(({ id }) => id),
    ]),
    query<Facts['limits']>('read_limits', LIMITS),
    query<DecidedAlone>('read_decided_alone', DECIDED_ALONE),
  ])
  const staff = new Set(people.map(({ id }) => id))
  return {
    transactions: new Map(
      transactions.map(({ id, approvals, ...transaction }) => [
        id,
        {
          ...transaction,
          approvals: (approvals ?? [])
            .filter(({ by }) => staff.has(by))
            .map(({ by, amount }) => ({ by, amount: cents(BigInt(amount)) })),
        },
      ]),
    ),
    staff,
    evidence: new Map(
      evidence.map(({ id, network, evidence }) => [evidenceName({ network, id: evidence }), id]),
    ),
    limits: limits[0] ?? NO_DECISIONS.limits,
    decidedAlone,
  }
}

/**
 * Gives each of these deposit requests its investor's wallet, or the refusal. By position; an
 * investor without a wallet of the wanted network gets the oldest free one, for good.
 */
export const assignWallets = async (
  client: PoolClient,
  operations: readonly Operation[],
  undecided: (position: number) => boolean,
): Promise<ReadonlyMap<number, Wallet | Refused>> => {
  const requests = [...operations.entries()].flatMap(([position, operation]) =>
    operation.movement === 'deposit_requested' && undecided(position)
      ? [{ position, ...operation }]
      : [],
  )
  if (requests.length === 0) return new Map()
  const { rows } = await client.query<{ wallets: (Wallet | Refused)[] }>({
    name: 'assign_wallets',
    text: 'SELECT assign_wallets($1, $2, $3, $4, $5) AS wallets',
    values: [
      requests.map(({ by }) => by.id),
      requests.map(({ networkName }) => networkName),
      requests.map(({ walletPace }) => walletPace && `\\x${walletPace.source.toString('hex')}`),
      requests.map(({ walletPace }) => walletPace?.perIp),
      requests.map(({ walletPace }) => walletPace?.perHour),
    ],
  })
  return new Map(
    (rows[0]?.wallets ?? []).flatMap((wallet, n) => {
      const request = requests[n]
      return request ? [[request.position, wallet] as const] : []
    }),
  )
}
