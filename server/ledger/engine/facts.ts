/** Reads the rows that a group is decided by. */
import type { AccountKind, MovementName } from '@pool/contract/money/ledger'
import { lockSql, shareSql } from '../../base/locks.ts'
import type { Outcome, Query, Refused } from '../families/movement.ts'
import { movements, type Operation } from '../families/movements.ts'
import { type AnyMovement, type AnyReading, accountsOf, isAlone, movementOf } from './operation.ts'

/** A connection in a transaction, on which statements run in their order. */
export type GroupClient = {
  query(
    asked: string | { name?: string; text: string; values?: unknown[] },
  ): Promise<{ rows: unknown[] }>
}

/** An account. `balance` is in cents, null for an account that may go below zero. */
export type Account = {
  readonly id: bigint
  readonly ownerId: string
  readonly kind: AccountKind
  readonly balance: bigint | null
}

/** The rows that rule on a group. Positions are those of the operations. */
export type GroupFacts = {
  /** The moment of the transaction. */
  readonly at: string
  /** Positions whose session has ended. */
  readonly ended: ReadonlySet<number>
  /** Outcomes on record under the keys of these positions. */
  readonly known: ReadonlyMap<number, { readonly requestHash: string; readonly outcome: Outcome }>
  /** Refusals of paused movements. */
  readonly paused: Readonly<Partial<Record<MovementName, Refused>>>
  /** The closed accounts among the owners of operations. */
  readonly closed: ReadonlySet<string>
  readonly accounts: readonly Account[]
  /** The rows that the movements read. They note in them what the group decides. */
  readonly states: ReadonlyMap<AnyReading, unknown>
}

/**
 * Begins a group. Changes of pauses, roles and sessions take this lock exclusively, so they wait
 * for its commit. Plans must not depend on the size of the tables when they were made.
 */
const BEGIN = `BEGIN;
SET LOCAL enable_seqscan = off;
SET LOCAL plan_cache_mode = force_generic_plan;
SET LOCAL idle_in_transaction_session_timeout = '10s'`
const LOCK = shareSql('groups')
/** Waits for the groups of all nodes, and they wait for this one. */
const LOCK_ALONE = lockSql('groups')

// A statement that waited for a lock returns the latest row, and the ones after it read newer rows.

/** By id, so that two processes cannot deadlock. */
const LOCK_TRANSACTIONS = `
SELECT id FROM transactions WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE`

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
 * Begins a transaction, locks the rows to change, and reads what the operations are decided by. One
 * round trip. An empty `beginning` stays in the transaction of the caller.
 */
export const readFacts = async (
  client: GroupClient,
  operations: readonly Operation[],
  beginning = BEGIN,
): Promise<GroupFacts> => {
  const query = queryOn(client)
  const readings = readingsOf(operations)
  const locked = operations.filter((each) => movementOf(each).locks).map(({ id }) => id)
  const named = accountsOf(operations)
  const lock = operations.some(isAlone) ? LOCK_ALONE : LOCK
  const begin = [beginning, lock, ...readings.map(([reading, members]) => reading.begin?.(members))]
  const [, , accounts, [answers], states] = await Promise.all([
    client.query(begin.filter(Boolean).join('; ')),
    locked.length > 0 ? query('lock_transactions', LOCK_TRANSACTIONS, [locked]) : [],
    query<Account & { closed: boolean }>('read_accounts', ACCOUNTS, [
      named.map(({ owner }) => owner),
      named.map(({ kind }) => kind),
    ]),
    query<Answers>('read_answers', ANSWERS, answersBy(operations)),
    Promise.all(
      readings.map(
        async ([reading, members]) => [reading, await reading.read(query, members)] as const,
      ),
    ),
  ])
  const { at = '', known, ended, paused } = answers ?? {}
  return {
    at,
    ended: new Set(ended ?? []),
    known: new Map((known ?? []).map((each) => [each.at, each])),
    paused: paused ?? {},
    closed: new Set(accounts.flatMap(({ ownerId, closed }) => (closed ? [ownerId] : []))),
    accounts,
    states: new Map(states),
  }
}

/**
 * Lets readings change rows for their operations that are still to decide. Returns the refusals, by
 * operation.
 */
export const prepare = async (
  client: GroupClient,
  undecided: readonly Operation[],
  { states }: GroupFacts,
): Promise<ReadonlyMap<object, Refused>> => {
  const refused = await Promise.all(
    readingsOf(undecided).map(([reading, members]) =>
      reading.prepare?.(queryOn(client), members, states.get(reading)),
    ),
  )
  return new Map(refused.flatMap((each) => [...(each ?? [])]))
}

const queryOn =
  (client: GroupClient): Query =>
  <Row>(name: string, text: string, values: readonly unknown[] = []) =>
    client.query({ name, text, values: [...values] }).then(({ rows }) => rows as Row[])

/** Each reading once, in the order of the table of movements. */
const allReadings: readonly AnyReading[] = [
  ...new Set(Object.values(movements).flatMap((each: AnyMovement) => Object.values(each.reads))),
]

/** The readings that a group needs, each with its operations. */
const readingsOf = (
  operations: readonly Operation[],
): readonly (readonly [AnyReading, readonly never[]])[] =>
  allReadings.flatMap((reading) => {
    const members = operations.filter((each) =>
      Object.values(movementOf(each).reads).includes(reading),
    )
    // A movement names readings of its own operations.
    return members.length > 0 ? [[reading, members as never[]] as const] : []
  })

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
