import { type Cents, cents, dollarsFromCents } from '@pool/contract/base/money'
import { timestampFromDate } from '@pool/contract/base/timestamp'
import type { PauseName } from '@pool/contract/money/pauses'
import type { AuditAction } from '@pool/contract/reports/audit'
import { type Counts, type SetupStep, setupSteps, type Today } from '@pool/contract/reports/today'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { readableBy } from '../../accounts/mail/queries.ts'
import type { Config } from '../../base/configuration/config.ts'
import type { Schema } from '../../base/db/schema.ts'
import { type Tally, tallied } from '../../base/lists/tallies.ts'
import { poolBalance } from '../../ledger/families/accounts.ts'
import { late } from '../../lending/loans/arrears.ts'

const sumOf = (count: bigint, amount: bigint) => ({
  count: Number(count),
  amount: dollarsFromCents(cents(amount)),
})

const first = async <Row>(db: Kysely<Schema>, query: RawBuilder<Row>): Promise<Row> => {
  const [row] = (await query.execute(db)).rows
  if (!row) throw new Error('A query of one row found none.')
  return row
}

/** The late loans, and what is outstanding of them. */
const lateLoans = (tolerance: Cents) => sql<{ count: bigint; amount: bigint }>`
  SELECT count(*) AS count, coalesce(sum(loans.outstanding), 0)::bigint AS amount
  FROM (${late(tolerance)}) AS late JOIN loans ON loans.id = late.loan_id WHERE loans.outstanding > 0`

/**
 * The steps that are not done of a pool that credited no deposit yet. A sandbox keeps its mails,
 * and live mode does not start without a mail server.
 */
const readUndone = async ({
  db,
  config,
}: {
  readonly db: Kysely<Schema>
  readonly config: Config
}): Promise<SetupStep[]> => {
  const done = await first(
    db,
    sql<Record<Exclude<SetupStep, 'mail' | 'capital'> | 'begun', boolean>>`SELECT
      EXISTS (SELECT FROM transactions WHERE type = 'deposit' AND status = 'APPROVED') AS begun,
      EXISTS (SELECT FROM wallets WHERE archived_at IS NULL AND proposal_id IS NULL)
        OR EXISTS (SELECT FROM address_keys WHERE ended_at IS NULL) AS wallets,
      (SELECT count(*) FROM user_roles JOIN users ON users.id = user_roles.user_id
        WHERE role = 'SUPER_ADMIN' AND suspended_at IS NULL AND closed_at IS NULL) > 1 AS people,
      EXISTS (SELECT FROM plans AS p WHERE is_open AND starts_at <= now() AND NOT EXISTS (
        SELECT FROM plans AS newer WHERE newer.duration_days = p.duration_days
          AND newer.starts_at > p.starts_at AND newer.starts_at <= now())) AS plan`,
  )
  if (done.begun) return []
  // Capital is free, set aside or at work.
  const capital = [
    await poolBalance(db, 'reserve'),
    await poolBalance(db, 'committed'),
    await poolBalance(db, 'deployed'),
  ]
  const isDone = {
    ...done,
    capital: capital.some((balance) => balance > 0n),
    mail: config.mail !== undefined || config.poolMode === 'sandbox',
  }
  return setupSteps.filter((step) => !isDone[step])
}

/**
 * Counts the rows that wait for staff. A reader without accounts counts the proposals and mails of
 * staff alone.
 */
export const readCounts = async (
  { db, config }: { readonly db: Kysely<Schema>; readonly config: Config },
  seesAccounts: boolean,
): Promise<Counts> => {
  const { count: lateCount } = await first(db, lateLoans(config.loanTolerance))
  const waiting = await first(
    db,
    sql<Record<Exclude<keyof Counts, 'lateLoans' | 'undone'>, bigint>>`SELECT
      ${tallied('rows', { noun: 'transactions', kinds: ['deposit', 'withdrawal'], statuses: ['PENDING'] })}
        + (SELECT count(*) FROM proposals AS p WHERE p.status = 'OPEN' AND is_standing(p) AND (p.by_staff OR ${seesAccounts})) AS decisions,
      ${tallied('rows', { noun: 'transactions', kinds: ['withdrawal'], statuses: ['APPROVED'] })} AS "toSend",
      (SELECT count(*) FROM mails WHERE status = 'DEAD' AND coalesce(expires_at > now(), true)
        AND ${readableBy({ seesStaff: seesAccounts })}) AS mails,
      (SELECT count(*) FROM reconciled_coins WHERE difference <> accepted
        AND reconciliation_id = (SELECT id FROM reconciliations ORDER BY at DESC, id DESC LIMIT 1)) AS breaks,
      (SELECT count(*) FROM payout_alarms WHERE ended_at IS NULL AND settled_at IS NULL)
        + (SELECT count(*) FROM unseen_arrivals WHERE settled_at IS NULL) AS alarms`,
  )
  return {
    decisions: Number(waiting.decisions),
    toSend: Number(waiting.toSend),
    lateLoans: Number(lateCount),
    mails: Number(waiting.mails),
    breaks: Number(waiting.breaks),
    alarms: Number(waiting.alarms),
    undone: await readUndone({ db, config }),
  }
}

const DAY_MS = 86_400_000

/** Rows of a tally since a day, and their cents with or without interest. */
const since = (
  from: Date,
  tally: Tally,
  { withInterest = false } = {},
): RawBuilder<{ count: bigint; amount: bigint }> => sql`SELECT
  ${tallied('rows', tally, { from })} AS count,
  ${tallied('cents', tally, { from })} + ${withInterest ? tallied('interest', tally, { from }) : sql`0::bigint`} AS amount`

const decisionActions = [
  'deposit.confirmed',
  'deposit.rejected',
  'withdrawal.approved',
  'withdrawal.rejected',
] as const satisfies readonly AuditAction[]

/** The people who decided, each with the requests and their sum. */
const decidersSince = (from: Date) => sql<{ username: string; count: bigint; amount: bigint }>`
  SELECT e.actor AS username, count(*) AS count, coalesce(sum(t.amount), 0)::bigint AS amount
  FROM audit_entries AS e JOIN transactions AS t ON t.id = e.subject_id::uuid
  WHERE e.action = ANY (${sql.val(decisionActions)}) AND e.created_at >= ${from} AND e.actor_id IS NOT NULL
  GROUP BY e.actor ORDER BY count(*) DESC, e.actor`

/** Reads the day since yesterday began, UTC, one query a line. */
export const readToday = async (
  { db, config }: { readonly db: Kysely<Schema>; readonly config: Config },
  now: Date,
): Promise<Today> => {
  const from = new Date((Math.floor(now.getTime() / DAY_MS) - 1) * DAY_MS)
  const read = async (query: RawBuilder<{ count: bigint; amount: bigint }>) => {
    const { count, amount } = await first(db, query)
    return sumOf(count, amount)
  }
  const [moneyIn, moneyOut, invested, matured, lateNow, decisions, found, pauses] =
    await Promise.all([
      read(since(from, { noun: 'decisions', kinds: ['deposit'] })),
      read(since(from, { noun: 'decisions', kinds: ['withdrawal'] })),
      read(since(from, { noun: 'investments' })),
      read(since(from, { noun: 'maturities' }, { withInterest: true })),
      read(lateLoans(config.loanTolerance)),
      decidersSince(from).execute(db),
      first(
        db,
        sql<{ breaks: bigint; alarms: bigint }>`SELECT
          (SELECT count(*) FROM reconciliations WHERE at >= ${from} AND NOT is_whole) AS breaks,
          (SELECT count(*) FROM payout_alarms WHERE found_at >= ${from}) AS alarms`,
      ),
      sql<{ name: PauseName; paused_at: Date }>`
        SELECT name, paused_at FROM pauses WHERE paused_at IS NOT NULL ORDER BY paused_at`.execute(
        db,
      ),
    ])
  return {
    since: timestampFromDate(from),
    moneyIn,
    moneyOut,
    invested,
    matured,
    late: lateNow,
    decisions: decisions.rows.map(({ username, count, amount }) => ({
      username,
      ...sumOf(count, amount),
    })),
    breaks: Number(found.breaks),
    alarms: Number(found.alarms),
    pauses: pauses.rows.map(({ name, paused_at }) => ({
      name,
      since: timestampFromDate(paused_at),
    })),
  }
}
