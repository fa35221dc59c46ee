/** The versions of plans that investments are opened by (docs/decisions/059). */
import { type Cents, cents, dollarsFromCents } from '@pool/contract/base/money'
import { LOCKS } from '../../base/locks.ts'
import { POOL_OWNER } from './accounts.ts'
import type { Refused, StateReading } from './movement.ts'
import { isTooShort, PACE, type Pace } from './runway.ts'

/** The plan of an investment, as its opener knows it. */
export type InPlan = {
  readonly planId: string
  readonly durationDays: number
  /** The least principal that the plan takes and that earns, in cents. */
  readonly least: Cents
  readonly principal: Cents
  readonly interest: Cents
  /** True if the version, or one that comes, bounds the principal at work. */
  readonly isCapped: boolean
  /** The refusal by the version's terms. */
  readonly unmet?: Refused | undefined
}

type InForce = {
  readonly id: string
  readonly isCapped: boolean
  /** The cents that still fit in the plan. The group's investments lower it. */
  readonly left: bigint | null
  /** The days that the free reserve must last. Null without a bound, and then without figures. */
  readonly leastRunway: number | null
  /** The free reserve in cents, and its pace. The group's investments lower and raise them. */
  readonly reserve: bigint
  readonly pace: Pace
}

type VersionInForce = Omit<InForce, 'reserve' | 'pace'> & {
  readonly days: number
  readonly reserve: bigint | null
  readonly interest: bigint
  readonly paceDays: number
}

/** The version of each plan that counts now, by its days. */
export type PlansInForce = Map<number, InForce>

/**
 * A version that comes is known before it counts, since its approval waits for open groups. So no
 * group is without the lock when a capacity begins to count.
 */
const IN_FORCE = `
SELECT p.duration_days AS days, p.id, p.capacity IS NOT NULL OR EXISTS (
    SELECT FROM plans WHERE duration_days = p.duration_days AND starts_at > now() AND capacity IS NOT NULL) AS "isCapped",
  p.capacity - CASE WHEN p.capacity IS NOT NULL THEN (
    SELECT coalesce(sum(cents), 0)::bigint FROM tallies
    WHERE noun = 'investments' AND day = '-infinity' AND kind = p.duration_days::text AND status = 'ACTIVE') END AS left,
  p.least_runway AS "leastRunway", (
    SELECT balance FROM accounts WHERE p.least_runway IS NOT NULL AND kind = 'reserve' AND owner_id = '${POOL_OWNER}') AS reserve,
  pace.interest, pace.days AS "paceDays"
FROM unnest($1::integer[]) AS named (days)
CROSS JOIN LATERAL (
  SELECT * FROM plans WHERE duration_days = named.days AND starts_at <= now() ORDER BY starts_at DESC LIMIT 1) AS p
CROSS JOIN LATERAL (${PACE} AND p.least_runway IS NOT NULL) AS pace`

const daysOf = (opened: readonly InPlan[]): number[] => [
  ...new Set(opened.map(({ durationDays }) => durationDays).toSorted((a, b) => a - b)),
]

export const plansInForce: StateReading<InPlan, PlansInForce> = {
  // One group at a time fills a plan with a capacity, on any node.
  begin: (opened) =>
    daysOf(opened.filter(({ isCapped }) => isCapped))
      .map((days) => `SELECT pg_advisory_xact_lock(${LOCKS.plans}, ${days})`)
      .join('; '),
  read: async (query, opened) => {
    const rows = await query<VersionInForce>('read_plans', IN_FORCE, [daysOf(opened)])
    return new Map(
      rows.map(({ days, interest, paceDays, reserve, ...version }) => [
        days,
        { ...version, reserve: reserve ?? 0n, pace: { interest, days: paceDays } },
      ]),
    )
  },
}

/** The refusal of an investment whose opener knows another version, or by the version's terms. */
export const refusedPlan = (opened: InPlan, plans: PlansInForce): Refused | undefined => {
  const version = plans.get(opened.durationDays)
  if (version?.id !== opened.planId || (version.isCapped && !opened.isCapped))
    return { refused: 'planChanged' }
  return opened.unmet
}

/** The refusal of an investment that does not fit in the plan. */
export const refusedFull = (
  { durationDays, principal, least }: InPlan,
  plans: PlansInForce,
): Refused | undefined => {
  const left = plans.get(durationDays)?.left ?? null
  if (left === null || principal <= left) return undefined
  return left < least
    ? { refused: 'planClosed', reason: 'full' }
    : { refused: 'planNearlyFull', left: dollarsFromCents(cents(left)) }
}

/** The refusal of an investment after which the free reserve would last too short a time. */
export const refusedRunway = (
  { durationDays, interest }: InPlan,
  plans: PlansInForce,
): Refused | undefined => {
  const version = plans.get(durationDays)
  // An empty reserve refuses by itself.
  if (!version || version.leastRunway === null || version.reserve < interest) return undefined
  return isTooShort(version, interest) ? { refused: 'planClosed', reason: 'runway' } : undefined
}

/** Takes the principal from what still fits, and the interest from the free reserve. */
export const useCapacity = (
  { durationDays, principal, interest }: InPlan,
  plans: PlansInForce,
): void => {
  for (const [days, version] of plans) {
    const { left, reserve, pace } = version
    plans.set(days, {
      ...version,
      left: days === durationDays && left !== null ? left - principal : left,
      reserve: reserve - interest,
      pace: { ...pace, interest: pace.interest + interest },
    })
  }
}
