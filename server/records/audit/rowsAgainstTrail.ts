/**
 * Derives states from entries: of users, limits, rates, loans, batches, addresses, and all acts of
 * two people. Names rows that SQL wrote past the product (docs/threats.md T36).
 */
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { AGREED, AGREEMENTS } from './agreements.ts'
import { BATCHES } from './batches.ts'
import { derivedFindings } from './derived.ts'
import { DECIDERS, ROLE_SPANS, ROWS_OF_MONEY } from './followed.ts'
import { LOAN_RECORDS } from './loanRecords.ts'
import { LOANS } from './loans.ts'
import { WIND_DOWNS } from './windDowns.ts'

export type RowsAgainstTrail = {
  /** A sentence for each row that no entry explains, up to {@link MOST_NAMED}. */
  readonly findings: readonly string[]
  /** Passwords that are older than entries which tell them apart. */
  readonly older: bigint
}

/** Findings after which the check names no more. */
const MOST_NAMED = 50

/** The last entry of some actions about each user. */
const lastOf = (...actions: readonly string[]) => sql`
  SELECT DISTINCT ON (subject_id) subject_id, id, action, actor, after FROM audit_entries
  WHERE action IN (${sql.join(actions.map((action) => sql.lit(action)))}) AND subject_type = 'user'
  ORDER BY subject_id, id DESC`

const PASSWORDS = lastOf('user.registered', 'password.changed', 'password.reset', 'account.closed')

const ROLES = sql`
  SELECT format('User %s has the role %s, but no entry grants it.', r.user_id, r.role) AS sentence
  FROM user_roles AS r LEFT JOIN roles AS told ON told.subject_id = r.user_id::text
  WHERE NOT coalesce(told.after -> 'roles' ? r.role, false)
  UNION ALL
  SELECT format('User %s lost the role %s, but no entry revokes it.', told.subject_id, held.role)
  FROM roles AS told CROSS JOIN LATERAL jsonb_array_elements_text(told.after -> 'roles') AS held (role)
  WHERE NOT EXISTS (SELECT FROM user_roles AS r WHERE r.user_id::text = told.subject_id AND r.role = held.role)`

const STATES = sql`
  SELECT format('User %s is%s suspended, but the entries say otherwise.', u.id, CASE WHEN suspended_at IS NULL THEN ' not' END)
  FROM users AS u LEFT JOIN suspensions AS told ON told.subject_id = u.id::text
  WHERE (suspended_at IS NOT NULL) <> coalesce(told.action = 'user.suspended', false)
  UNION ALL
  SELECT format('User %s is%s frozen, but the entries say otherwise.', u.id, CASE WHEN frozen_at IS NULL THEN ' not' END)
  FROM users AS u LEFT JOIN freezes AS told ON told.subject_id = u.id::text
  WHERE (frozen_at IS NOT NULL) <> coalesce(told.action = 'account.frozen', false)`

const NAMES = sql`
  SELECT format('User %s was not registered on record.', u.id)
  FROM users AS u LEFT JOIN emails AS told ON told.subject_id = u.id::text WHERE told.id IS NULL
  UNION ALL
  SELECT format('User %s has another email address than the entries say.', u.id)
  FROM users AS u JOIN emails AS told ON told.subject_id = u.id::text
  WHERE u.username <> CASE told.action
    WHEN 'email.changed' THEN told.after ->> 'email' WHEN 'account.closed' THEN 'closed-' || u.id ELSE lower(told.actor) END
  UNION ALL
  SELECT format('User %s has a password that no entry sets.', u.id)
  FROM users AS u JOIN passwords AS told ON told.subject_id = u.id::text
  WHERE CASE told.action WHEN 'account.closed' THEN u.password_hash <> ''
    ELSE told.after ->> 'digest' <> left(encode(sha256(convert_to(u.password_hash, 'UTF8')), 'hex'), 32) END`

/** A factor stays until an entry removes it, or all of its user's. Older entries hold no digest. */
const FACTORS = sql`
  SELECT format('A second factor of user %s was added without an entry.', f.user_id)
  FROM factors AS f WHERE NOT EXISTS (
    SELECT FROM audit_entries AS e WHERE e.action = 'factor.added' AND e.subject_id = f.user_id::text
      AND CASE WHEN e.after ? 'digest' THEN e.after ->> 'digest' = factor_digest(f)
        ELSE e.created_at = f.created_at AND e.after ->> 'kind' = f.kind END
      AND NOT EXISTS (
        SELECT FROM audit_entries AS gone WHERE gone.subject_id = e.subject_id AND gone.id > e.id
          AND (gone.action IN ('factor.reset', 'account.closed')
            OR gone.action = 'factor.removed' AND gone.before ->> 'digest' = factor_digest(f))))
  UNION ALL
  SELECT format('The recovery codes of user %s are not those of an entry.', told.subject_id)
  FROM codes AS told WHERE told.after ->> 'codes' <> codes_digest(told.subject_id::uuid)`

const LIMITS = sql`
  SELECT format('The limits of one person are $%s and $%s, but no entry sets them.', l.per_person / 100, l.per_pool / 100)
  FROM approval_limits AS l LEFT JOIN LATERAL (
    SELECT after FROM audit_entries WHERE action = 'limits.changed' ORDER BY id DESC LIMIT 1) AS told ON true
  WHERE (l.per_person, l.per_pool)
    <> (coalesce((told.after ->> 'perPerson')::numeric * 100, 1000000), coalesce((told.after ->> 'perPool')::numeric * 100, 5000000))`

const PAYOUTS = sql`
  SELECT format('User %s has the payout address %s, but no entry saves it.', saved.user_id, saved.address)
  FROM (SELECT user_id, address, network_name, count(*) AS rows FROM payout_addresses GROUP BY 1, 2, 3) AS saved
  WHERE rows > (
    SELECT count(*) FROM audit_entries AS e WHERE e.action = 'payout.saved' AND e.subject_id = saved.user_id::text
      AND e.after ->> 'address' = saved.address AND e.after ->> 'networkName' = saved.network_name)`

const RATES = sql`
  SELECT format('The rate of %s was set to $%s, but no entry sets it.', r.coin, r.dollars)
  FROM rates AS r WHERE r.source = 'SET' AND NOT EXISTS (
    SELECT FROM audit_entries AS e WHERE e.action = 'rate.set' AND e.subject_id = r.id::text
      AND e.after ->> 'coin' = r.coin AND (e.after ->> 'dollars')::numeric = r.dollars)`

const PLANS = sql`
  SELECT format('Investment %s was opened by a version of its plan that did not count then, or by other terms.', t.id)
  FROM transactions AS t LEFT JOIN (
    SELECT *, lead(starts_at) OVER (PARTITION BY duration_days ORDER BY starts_at) AS ends_at FROM plans) AS p ON p.id = t.plan_id
  WHERE t.type = 'investment' AND (t.interest <> t.amount * t.rate_basis_points / 10000
    OR p.id IS NULL OR (t.duration_days, t.rate_basis_points) <> (p.duration_days, p.rate_basis_points)
    OR t.created_at < p.starts_at OR t.created_at >= p.ends_at)`

/**
 * A list is one entry with the digest of its addresses. Its wallets have the moment of the entry,
 * and deleted ones an entry of their own, by which the digest is made again.
 */
const WALLETS = sql`
  SELECT format('Wallet %s has the address %s, but no entry adds it.', w.id, w.address)
  FROM wallets AS w
  WHERE NOT EXISTS (
    SELECT FROM audit_entries AS e WHERE e.action = 'wallet.added' AND e.subject_id = w.id::text
      AND e.after ->> 'address' = w.address AND e.after ->> 'networkName' = w.network_name)
    AND NOT EXISTS (SELECT FROM whole_lists AS l WHERE l.created_at = w.created_at AND l.network = w.network_name)
    AND w.key_id IS NULL`

const LISTS = sql`
  lists AS MATERIALIZED (
    SELECT id, created_at, subject_id::uuid AS first, after ->> 'networkName' AS network, after ->> 'sha256' AS sha256
    FROM audit_entries WHERE action = 'wallet.listAdded'
  ), listed AS (
    SELECT l.id AS list, w.id, w.address FROM lists AS l JOIN wallets AS w ON w.created_at = l.created_at AND w.network_name = l.network AND w.key_id IS NULL
    UNION ALL
    SELECT (SELECT l.id FROM lists AS l WHERE l.network = e.before ->> 'networkName' AND l.first <= e.subject_id::uuid ORDER BY l.first DESC LIMIT 1),
      e.subject_id::uuid, e.before ->> 'address'
    FROM audit_entries AS e WHERE e.action = 'wallet.deleted' AND NOT e.before ? 'keyId'
      AND NOT EXISTS (SELECT FROM audit_entries AS added WHERE added.action = 'wallet.added' AND added.subject_id = e.subject_id)
  ), whole_lists AS (
    SELECT l.created_at, l.network FROM lists AS l JOIN listed ON listed.list = l.id GROUP BY l.id, l.created_at, l.network, l.sha256
    HAVING encode(sha256(convert_to(string_agg(listed.address, E'\n' ORDER BY listed.id), 'UTF8')), 'hex') = l.sha256
  )`

/** Compares rows with entries, which {@link checkAudit} has found to be signed and whole. */
export const checkRowsAgainstTrail = (db: Kysely<Schema>): Promise<RowsAgainstTrail> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (snapshot) => {
      await sql`SET LOCAL statement_timeout = 0`.execute(snapshot)
      const found = await sql<{ sentence: string }>`
        WITH roles AS MATERIALIZED (${lastOf('user.registered', 'role.granted', 'role.revoked')}),
          suspensions AS MATERIALIZED (${lastOf('user.suspended', 'user.resumed')}),
          freezes AS MATERIALIZED (${lastOf('account.frozen', 'account.unfrozen')}),
          emails AS MATERIALIZED (${lastOf('user.registered', 'email.changed', 'account.closed')}),
          passwords AS MATERIALIZED (${PASSWORDS}),
          codes AS MATERIALIZED (
            SELECT DISTINCT ON (subject_id) subject_id, after FROM audit_entries
            WHERE action = 'factor.codesRenewed' OR action = 'factor.added' AND after ? 'codes' ORDER BY subject_id, id DESC),
          ${LISTS}, ${ROLE_SPANS}, ${AGREED}
        ${sql.join([ROLES, STATES, NAMES, FACTORS, LIMITS, PAYOUTS, RATES, PLANS, WALLETS, LOANS, LOAN_RECORDS, WIND_DOWNS, BATCHES, DECIDERS, ...ROWS_OF_MONEY, ...AGREEMENTS], sql` UNION ALL `)}
        LIMIT ${MOST_NAMED}`.execute(snapshot)
      const older = await sql<{ count: bigint }>`
        SELECT count(*) AS count FROM (${PASSWORDS}) AS told WHERE action <> 'account.closed' AND NOT coalesce(after ? 'digest', false)`.execute(
        snapshot,
      )
      const derived = await derivedFindings(snapshot, MOST_NAMED - found.rows.length)
      return {
        findings: [...found.rows.map(({ sentence }) => sentence), ...derived],
        older: older.rows[0]?.count ?? 0n,
      }
    })
