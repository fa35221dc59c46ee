import { type Cents, cents, dollarsFromCents } from '@pool/contract/base/money'
import { timestampFromDate } from '@pool/contract/base/timestamp'
import type { PlanOffer, PlanVersion, versionStates } from '@pool/contract/money/planVersions'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { poolBalance } from '../../ledger/families/accounts.ts'
import { readPace } from '../../ledger/families/runway.ts'
import { closingOf } from './closings.ts'

type PlanRow = {
  readonly id: string
  readonly duration_days: number
  readonly rate_basis_points: number
  readonly least: bigint
  readonly most: bigint | null
  readonly capacity: bigint | null
  readonly least_runway: number | null
  readonly is_open: boolean
  readonly starts_at: Date | null
  readonly version: number
  readonly state: (typeof versionStates)[number]
  readonly at_work: bigint
  readonly asked_by: string | null
  readonly approved_by: string | null
  readonly reason: string | null
}

/** Every version with its place in its plan, and the figures that may close it. */
const versions = sql<PlanRow>`
  SELECT p.id, p.duration_days, p.rate_basis_points, p.least, p.most, p.capacity, p.least_runway, p.is_open,
    CASE WHEN isfinite(p.starts_at) THEN p.starts_at END AS starts_at,
    rank() OVER (PARTITION BY p.duration_days ORDER BY p.starts_at)::integer AS version,
    CASE WHEN p.starts_at > now() THEN 'coming'
      WHEN p.starts_at = max(p.starts_at) FILTER (WHERE p.starts_at <= now()) OVER (PARTITION BY p.duration_days) THEN 'current'
      ELSE 'past' END AS state,
    (SELECT coalesce(sum(cents), 0)::bigint FROM tallies
      WHERE noun = 'investments' AND day = '-infinity' AND kind = p.duration_days::text AND status = 'ACTIVE') AS at_work,
    asker.username AS asked_by, approver.username AS approved_by, asked.reason
  FROM plans AS p LEFT JOIN proposals AS asked ON asked.id = p.id
  LEFT JOIN users AS asker ON asker.id = asked.asked_by LEFT JOIN users AS approver ON approver.id = asked.decided_by`

const orNull = (amount: Cents | null) => (amount === null ? null : dollarsFromCents(amount))

/** The free reserve and its pace, which may close a version. */
const readReserve = async (db: Kysely<Schema>) => ({
  reserve: await poolBalance(db, 'reserve'),
  pace: await readPace(db),
})

/** Reads a version beside the free reserve, which may close it. */
const readVersion = (row: PlanRow, free: Awaited<ReturnType<typeof readReserve>>) => {
  const least = cents(row.least)
  const most = row.most === null ? null : cents(row.most)
  const fits = row.capacity === null ? null : row.capacity - row.at_work
  const left = fits === null ? null : cents(fits > 0n ? fits : 0n)
  const terms = { durationDays: row.duration_days, rateBasisPoints: row.rate_basis_points }
  const leastRunway = row.least_runway
  const facts = { ...terms, ...free, least, most, left, leastRunway, isOpen: row.is_open }
  return {
    left,
    closed: row.state === 'current' ? closingOf(facts) : null,
    onTheWire: { id: row.id, ...terms, least: dollarsFromCents(least), most: orNull(most) },
  }
}

/** The plans that count now, shortest first. */
export const listPlans = async (db: Kysely<Schema>): Promise<PlanOffer[]> => {
  const { rows } = await sql<PlanRow>`
    SELECT * FROM (${versions}) AS each WHERE state = 'current' ORDER BY duration_days`.execute(db)
  const free = await readReserve(db)
  return rows.map((row) => {
    const { onTheWire, left, closed } = readVersion(row, free)
    return { ...onTheWire, left: orNull(left), closed }
  })
}

/** Every version of every plan: by days, then newest first. */
export const listPlanVersions = async (db: Kysely<Schema>): Promise<PlanVersion[]> => {
  const { rows } = await sql<PlanRow>`
    SELECT * FROM (${versions}) AS each ORDER BY duration_days, version DESC`.execute(db)
  const free = await readReserve(db)
  return rows.map((row) => {
    const { onTheWire, closed } = readVersion(row, free)
    return {
      ...onTheWire,
      version: row.version,
      capacity: orNull(row.capacity === null ? null : cents(row.capacity)),
      leastRunway: row.least_runway,
      isOpen: row.is_open,
      startsAt: row.starts_at && timestampFromDate(row.starts_at),
      state: row.state,
      closed,
      atWork: dollarsFromCents(cents(row.at_work)),
      askedBy: row.asked_by,
      approvedBy: row.approved_by,
      reason: row.reason,
    }
  })
}
