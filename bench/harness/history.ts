import { setTimeout as wait } from 'node:timers/promises'
import { defaultPlans, planFor } from '@pool/contract/money/plans'
import type { Pool } from 'pg'
import type { Keys } from '../../server/base/keys/keys.ts'
import { POOL_OWNER } from '../../server/ledger/families/accounts.ts'
import { type Entry, type EntryRow, signEntry } from '../../server/records/audit/entry.ts'
import { emailOf, idOf, STAFF } from './people.ts'
import { withoutIndexes } from './rows.ts'

/** Requests in one round. A round's deposits and withdrawals are decided in the next one. */
const ROUND = 20_000
/** The term of the investments. They mature after a second. */
const DAYS = 1

/** Of twenty requests, one is a deposit, one a withdrawal, and eighteen are investments. */
const TYPE = "CASE n % 20 WHEN 0 THEN 'deposit' WHEN 1 THEN 'withdrawal' ELSE 'investment' END"
/** One withdrawal in five is rejected. */
const REJECTED = 'n % 100 = 21'

const id = (number: string, kind: string) =>
  `('00000000-${kind}-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`

/** Neighbours in time are strangers, so that indexes by owner grow everywhere. */
const owner = (people: number) => `(1 + n * 7919 % ${people})`
const requestId = id('n', '0004')
const staffId = `'${idOf(STAFF)}'::uuid`
const ownAccount = (kind: string) =>
  `JOIN accounts AS ${kind} ON ${kind}.owner_id = user_id AND ${kind}.kind = '${kind}'`
const poolAccount = (kind: string) =>
  `CROSS JOIN (SELECT id FROM accounts WHERE owner_id = '${POOL_OWNER}' AND kind = '${kind}') AS ${kind}`

/** The rows that the product writes for these requests, by one statement for all of them. */
const requests = (people: number, basisPoints: number): string => `
  WITH asked AS (
    SELECT n, ${requestId} AS id, ${id(owner(people), '0000')} AS user_id, ${id(owner(people), '0001')} AS wallet_id,
      ${TYPE} AS type, (100 + n % 50 * 10)::bigint AS amount, (100 + n % 50 * 10) * ${basisPoints} / 10000 AS interest
    FROM generate_series($1::bigint, $2::bigint - 1) AS n
  ), rows AS (
    INSERT INTO transactions
      (id, user_id, type, amount, status, destination_address, destination_network, wallet_id, rate_basis_points, interest, duration_days,
        matures_at, investment_status, created_at, updated_at)
    SELECT id, user_id, type, amount, CASE type WHEN 'investment' THEN 'COMPLETED' ELSE 'PENDING' END,
      CASE type WHEN 'withdrawal' THEN 'bc1q' || substr(encode(sha256(n::text::bytea), 'hex'), 1, 38) ELSE '' END, CASE type WHEN 'withdrawal' THEN 'Bitcoin' ELSE '' END,
      CASE type WHEN 'deposit' THEN wallet_id END,
      CASE type WHEN 'investment' THEN ${basisPoints} END, CASE type WHEN 'investment' THEN interest END, CASE type WHEN 'investment' THEN ${DAYS} END,
      CASE type WHEN 'investment' THEN now() + interval '1 second' END, CASE type WHEN 'investment' THEN 'ACTIVE' END, now(), now()
    FROM asked
  ), keys AS (
    INSERT INTO idempotency_keys (actor_id, key, request_hash, outcome)
    SELECT user_id, ${id('n', '0005')}::text, encode(sha256(n::text::bytea), 'hex'), jsonb_build_object('id', id, 'at', now()) FROM asked
  ), movements AS (
    INSERT INTO movements (reference_id, name, from_account_id, to_account_id, amount, interest_from_account_id, interest_to_account_id, interest)
    SELECT asked.id, CASE type WHEN 'investment' THEN 'investment_opened' ELSE 'withdrawal_held' END, available.id, CASE type WHEN 'investment' THEN invested.id ELSE held.id END, amount,
      CASE type WHEN 'investment' THEN reserve.id END, CASE type WHEN 'investment' THEN committed.id END, CASE type WHEN 'investment' THEN interest END
    FROM asked ${ownAccount('available')} ${ownAccount('held')} ${ownAccount('invested')} ${poolAccount('reserve')} ${poolAccount('committed')}
    WHERE type <> 'deposit' ORDER BY n
  ) SELECT`

/** Approves a round's deposits and withdrawals, and rejects one withdrawal in five. */
const DECISIONS = `
  WITH decided AS (
    UPDATE transactions SET updated_at = now(), decided_by = ${staffId},
      status = CASE WHEN ${REJECTED} THEN 'REJECTED' ELSE 'APPROVED' END, reason = CASE WHEN ${REJECTED} THEN 'measured' ELSE '' END,
      payee_address = CASE WHEN type = 'withdrawal' AND NOT ${REJECTED} THEN destination_address END, outgoing = type = 'withdrawal' AND NOT ${REJECTED},
      evidence_network = CASE type WHEN 'deposit' THEN 'Bitcoin' END, evidence = CASE type WHEN 'deposit' THEN encode(sha256(n::text::bytea), 'hex') END
    FROM (SELECT n, ${requestId} AS request FROM generate_series($1::bigint, $2::bigint - 1) AS n WHERE n % 20 < 2) AS asked
    WHERE id = request
    RETURNING n, id, user_id, type, status, amount
  ), keys AS (
    INSERT INTO idempotency_keys (actor_id, key, request_hash, outcome)
    SELECT ${staffId}, ${id('n', '0006')}::text, encode(sha256(n::text::bytea), 'hex'), jsonb_build_object('id', id, 'at', now()) FROM decided
  ), movements AS (
    INSERT INTO movements (reference_id, name, from_account_id, to_account_id, amount)
    SELECT decided.id, CASE WHEN type = 'deposit' THEN 'deposit_confirmed' WHEN status = 'REJECTED' THEN 'withdrawal_released' ELSE 'withdrawal_approved' END,
      CASE type WHEN 'deposit' THEN custody.id ELSE held.id END, CASE WHEN type = 'withdrawal' AND status = 'APPROVED' THEN outgoing.id ELSE available.id END, amount
    FROM decided ${ownAccount('available')} ${ownAccount('held')} ${poolAccount('custody')} ${poolAccount('outgoing')} ORDER BY n
  ) SELECT`

/** Investments that are already paid, with their payouts, keys and both movements. */
const paid = (people: number, basisPoints: number): string => `
  WITH asked AS (
    SELECT n, ${id('n', '0007')} AS id, ${id(owner(people), '0000')} AS user_id,
      (100 + n % 50 * 10)::bigint AS amount, (100 + n % 50 * 10) * ${basisPoints} / 10000 AS interest
    FROM generate_series($1::bigint, $2::bigint - 1) AS n
  ), rows AS (
    INSERT INTO transactions
      (id, user_id, type, amount, status, investment_id, rate_basis_points, interest, duration_days, matures_at, investment_status, created_at, updated_at)
    SELECT id, user_id, 'investment', amount, 'COMPLETED', NULL, ${basisPoints}, interest, ${DAYS}, now() - interval '1 second', 'COMPLETED', now() - interval '2 seconds', now()
    FROM asked
    UNION ALL
    SELECT ${id('n', '0008')}, user_id, 'payout', amount + interest, 'COMPLETED', id, NULL, NULL, NULL, NULL, NULL, now(), now() FROM asked
  ), keys AS (
    INSERT INTO idempotency_keys (actor_id, key, request_hash, outcome)
    SELECT user_id, ${id('n', '0009')}::text, encode(sha256(n::text::bytea), 'hex'), jsonb_build_object('id', id, 'at', now()) FROM asked
  ), movements AS (
    INSERT INTO movements (reference_id, name, from_account_id, to_account_id, amount, interest_from_account_id, interest_to_account_id, interest)
    SELECT asked.id, CASE side WHEN 1 THEN 'investment_opened' ELSE 'investment_matured' END,
      CASE side WHEN 1 THEN available.id ELSE invested.id END, CASE side WHEN 1 THEN invested.id ELSE available.id END, amount,
      CASE side WHEN 1 THEN reserve.id ELSE committed.id END, CASE side WHEN 1 THEN committed.id ELSE available.id END, interest
    FROM asked ${ownAccount('available')} ${ownAccount('invested')} ${poolAccount('reserve')} ${poolAccount('committed')} CROSS JOIN (VALUES (1), (2)) AS sides (side)
    ORDER BY n, side
  ) SELECT`

const entryOf = (n: number, people: number): Entry => {
  const deposit = n % 20 === 0
  const rejected = n % 100 === 21
  return {
    by: { id: idOf(STAFF), name: emailOf(STAFF), from: 'bench' },
    action: deposit
      ? 'deposit.confirmed'
      : rejected
        ? 'withdrawal.rejected'
        : 'withdrawal.approved',
    subject: { type: 'transaction', id: idOf(n).replace('-0000-', '-0004-') },
    ownerId: idOf(1 + ((n * 7_919) % people)),
    before: { status: 'PENDING' },
    after: { status: rejected ? 'REJECTED' : 'APPROVED', amount: (100 + (n % 50) * 10) / 100 },
    ...(rejected && { reason: 'measured' }),
  }
}

const entriesOf = (keys: Keys, from: number, to: number, people: number): readonly EntryRow[] =>
  Array.from({ length: to - from }, (_, place) => from + place)
    .filter((n) => n % 20 < 2)
    .map((n) => signEntry(keys, entryOf(n, people)))

type Growth = {
  readonly pool: Pool
  readonly keys: Keys
  readonly people: number
  /** The history ends with at least as many. */
  readonly movements: number
}

const planOf = () => {
  const plan = planFor(defaultPlans, DAYS)
  if (!plan) throw new Error(`no plan of ${DAYS} day`)
  return plan
}

const countIn = async (pool: Pool, text: string): Promise<number> =>
  Number((await pool.query<{ count: string }>(`SELECT count(*) FROM ${text}`)).rows[0]?.count)

/**
 * Adds requests and their decisions with their keys and audit entries, beside the product, whose
 * job pays the investments. All indexes and triggers are in place, so tables grow as in use.
 */
export const growHistory = async ({ pool, keys, people, movements }: Growth): Promise<void> => {
  const asking = requests(people, planOf().rateBasisPoints)
  const already = await countIn(pool, "idempotency_keys WHERE key LIKE '00000000-0005%'")
  const wanted = movements - (await countIn(pool, 'movements'))
  // Twenty requests make 39 movements: an investment and a withdrawal two, a deposit one.
  const end = already + Math.max(0, Math.ceil(wanted / 39)) * 20
  const inTransaction = async (statements: readonly (readonly [string, readonly unknown[]])[]) => {
    const client = await pool.connect()
    try {
      // Plans must not read whole tables, which grow with each round.
      await client.query(
        "BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL enable_seqscan = off; SET LOCAL work_mem = '64MB'",
      )
      for (const [text, values] of statements) await client.query(text, [...values])
      await client.query('COMMIT')
      client.release()
    } catch (error) {
      client.release(true)
      throw error
    }
  }
  for (let from = already; from < end; from += ROUND) {
    const to = Math.min(end, from + ROUND)
    await inTransaction([[asking, [from, to]]])
    await inTransaction([
      [DECISIONS, [from, to]],
      ['SELECT write_entries($1)', [JSON.stringify(entriesOf(keys, from, to, people))]],
    ])
  }
  while (
    (await countIn(pool, "transactions WHERE investment_status = 'ACTIVE'")) +
      (await countIn(pool, 'audit_unsealed')) >
    0
  )
    await wait(500)
}

/** Paid investments in one statement. */
const AT_ONCE = 250_000

/**
 * Adds investments in their last state, with all triggers, until there are as many movements. The
 * indexes of transactions are made anew afterwards, so they are smaller than in use.
 */
export const fillHistory = async ({ pool, people, movements }: Growth): Promise<void> => {
  const adding = paid(people, planOf().rateBasisPoints)
  const already = await countIn(pool, "idempotency_keys WHERE key LIKE '00000000-0009%'")
  const wanted = movements - (await countIn(pool, 'movements'))
  const end = already + Math.max(0, Math.ceil(wanted / 2))
  await withoutIndexes(pool, 'transactions', async (client) => {
    await client.query("SET work_mem = '256MB'")
    // Without indexes, the job of mails would read the whole table again and again.
    await client.query("UPDATE notice_mailing SET until = 'infinity'")
    for (let from = already; from < end; from += AT_ONCE)
      await client.query(adding, [from, Math.min(end, from + AT_ONCE)])
  })
}
