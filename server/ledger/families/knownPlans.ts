/** The versions of plans that a process knows. The ledger reads again which one counts. */

import { cents } from '@pool/contract/base/money'
import type { PlanTerms } from '@pool/contract/money/plans'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'

/** A version of a plan. Amounts are in cents. */
export type KnownPlan = PlanTerms & {
  readonly id: string
  readonly isOpen: boolean
  /** True if this version, or one that comes, bounds the principal at work. */
  readonly isCapped: boolean
  /** Milliseconds. Below every moment for a first version. */
  readonly startsAt: number
}

export type KnownPlans = {
  /** The versions that count by the database's clock, as last read. Reads at the first call. */
  readonly inForce: () => Promise<readonly KnownPlan[]>
  /** Reads again, after the ledger named a change. */
  readonly refresh: () => Promise<void>
}

type PlanRow = {
  readonly id: string
  readonly duration_days: number
  readonly rate_basis_points: number
  readonly least: bigint
  readonly most: bigint | null
  readonly capacity: bigint | null
  readonly is_open: boolean
  readonly started: boolean
  readonly starts_in: number
}

/** The version of each plan that counts, and those that come. `starts_in` is in milliseconds. */
const read = async (db: Kysely<Schema>): Promise<readonly KnownPlan[]> => {
  const { rows } = await sql<PlanRow>`
    SELECT p.*, starts_at <= now() AS started,
      CASE WHEN starts_at > now() THEN extract(epoch FROM starts_at - now())::float8 * 1000 ELSE 0 END AS starts_in
    FROM plans AS p
    WHERE NOT EXISTS (
      SELECT FROM plans AS later WHERE later.duration_days = p.duration_days AND later.starts_at > p.starts_at AND later.starts_at <= now())
    ORDER BY duration_days, starts_at`.execute(db)
  const now = performance.now()
  return rows.map((row) => ({
    id: row.id,
    durationDays: row.duration_days,
    rateBasisPoints: row.rate_basis_points,
    least: cents(row.least),
    most: row.most === null ? null : cents(row.most),
    isOpen: row.is_open,
    isCapped: rows.some(
      (each) => each.duration_days === row.duration_days && each.capacity !== null,
    ),
    startsAt: row.started ? Number.NEGATIVE_INFINITY : now + row.starts_in,
  }))
}

/** Knows plans. Nothing is decided by it alone, so it may be old. */
export const openPlans = (db: Kysely<Schema>): KnownPlans => {
  let known: Promise<readonly KnownPlan[]> | undefined
  const refresh = () => {
    const reading = read(db)
    known = reading
    reading.catch(() => {
      if (known === reading) known = undefined
    })
    return reading
  }
  return {
    inForce: async () => {
      const versions = await (known ?? refresh())
      const now = performance.now()
      const newest = new Map<number, KnownPlan>()
      for (const version of versions)
        if (version.startsAt <= now) newest.set(version.durationDays, version)
      return [...newest.values()]
    },
    refresh: async () => void (await refresh()),
  }
}
