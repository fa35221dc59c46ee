/** The pool after a part of the outstanding loans defaulted (docs/product.md 5.30). */
import { type Cents, cents } from '@pool/contract/base/money'
import type { Plan } from '@pool/contract/money/plans'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { readSums } from '../../ledger/families/accounts.ts'
import { TODAY, UNPAID } from './unpaid.ts'

/** Days ahead. */
export const STRESS_DAYS = 90

/** Cents on a day, in sums since today. */
export type StressDay = {
  readonly day: number
  /** Coins of the pool without any investment or repayment that is to come. */
  readonly coins: Cents
  /** Instalments due by then, without the part that defaults. */
  readonly received: Cents
  /** Owed to investors by then: what is theirs already, and what matures. */
  readonly owed: Cents
}

export type Stress = {
  readonly outstanding: Cents
  /** The part that defaults, with nothing recovered. */
  readonly loss: Cents
  /** The part of the outstanding that investors' principal funds. */
  readonly lent: Cents
  /** Of its loss, what the free reserve bears, and what it does not reach. */
  readonly covered: Cents
  readonly lost: Cents
  /** Basis points of investors' invested principal that an unborne loss comes to, rounded up. */
  readonly share: bigint
  /** The least percent of defaults that the free reserve does not bear. Null while it bears all. */
  readonly lostFrom: number | null
  readonly reserve: Cents
  readonly committed: Cents
  /** The operator's capital after the loss: what is left of the reserve, and what still works. */
  readonly capital: Cents
  /** Principal that the rest of the reserve still backs in each plan. Then the plan closes. */
  readonly open: readonly { readonly plan: Plan; readonly principal: Cents }[]
  readonly days: readonly StressDay[]
}

/** Cents by days from now, 0 for what is due already. */
const readDays = async (
  db: Kysely<Schema>,
): Promise<readonly { day: number; due: bigint; matures: bigint }[]> => {
  const { rows } = await sql<{ day: number; due: bigint; matures: bigint }>`
    WITH due AS (
      SELECT i.due_on - ${TODAY} AS day, sum(${UNPAID})::bigint AS cents
      FROM loan_instalments AS i JOIN loans AS l ON l.id = i.loan_id LEFT JOIN loan_defaults AS f ON f.loan_id = l.id
      WHERE l.status = 'ACTIVE' AND NOT i.replaced AND i.due_on BETWEEN ${TODAY} AND ${TODAY} + ${STRESS_DAYS}::int GROUP BY 1
    ), matures AS (
      SELECT greatest((matures_at AT TIME ZONE 'UTC')::date - ${TODAY}, 0) AS day, sum(returned + interest)::bigint AS cents
      FROM investments WHERE status = 'ACTIVE' GROUP BY 1
    )
    SELECT day::int, coalesce(due.cents, 0)::bigint AS due, coalesce(matures.cents, 0)::bigint AS matures
    FROM generate_series(0, ${STRESS_DAYS}::int) AS day LEFT JOIN due USING (day) LEFT JOIN matures USING (day) ORDER BY day`.execute(
    db,
  )
  return rows
}

/** Basis points of the invested principal that a loss comes to, rounded up. */
export const shareOf = ({ lost, invested }: { lost: bigint; invested: bigint }): bigint =>
  invested > 0n ? (lost * 10_000n + invested - 1n) / invested : 0n

/** Cents of a principal that a default of so many percent loses. A part of a cent is lost. */
export const lossOf = (principal: bigint, percent: number): bigint =>
  (principal * BigInt(percent) + 99n) / 100n

/** The percent of the outstanding principal that is lost, with two decimals. */
export const percentOf = ({ loss, outstanding }: Pick<Stress, 'loss' | 'outstanding'>): number =>
  outstanding > 0n ? Math.round((Number(loss) / Number(outstanding)) * 10_000) / 100 : 0

/** The least percent of lent principal that the reserve does not bear. Null if it bears all. */
export const lostFromOf = ({ reserve, lent }: { reserve: bigint; lent: bigint }): number | null =>
  reserve < lent ? Number((reserve * 100n) / lent) + 1 : null

/** Reads one moment. `percent` of the outstanding defaults at once, and none of it comes back. */
export const stressOf = (
  db: Kysely<Schema>,
  { percent, plans }: { readonly percent: number; readonly plans: readonly Plan[] },
): Promise<Stress> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (snapshot) => {
      const sums = await readSums(snapshot)
      const { reserve, committed, deployed, sending, theirs, invested, lent } = sums
      const [ofCapital, ofPrincipal] = [lossOf(deployed, percent), lossOf(lent, percent)]
      const covered = ofPrincipal < reserve ? ofPrincipal : reserve
      const lost = ofPrincipal - covered
      const capital = reserve + sending
      const coins = cents(sums.coins)
      let [due, owed] = [0n, theirs]
      const days = (await readDays(snapshot)).map((each) => {
        due += each.due
        owed += each.matures
        const received = cents(due - lossOf(due, percent))
        return { day: each.day, coins, received, owed: cents(owed) }
      })
      return {
        outstanding: cents(deployed + lent),
        loss: cents(ofCapital + ofPrincipal),
        lent: cents(lent),
        covered: cents(covered),
        lost: cents(lost),
        share: shareOf({ lost, invested }),
        lostFrom: lostFromOf({ reserve, lent }),
        reserve: cents(reserve),
        committed: cents(committed),
        capital: cents(capital + deployed - ofCapital - covered),
        open: plans.map((plan) => ({
          plan,
          principal: cents(((reserve - covered) * 10_000n) / BigInt(plan.rateBasisPoints)),
        })),
        days,
      }
    })
