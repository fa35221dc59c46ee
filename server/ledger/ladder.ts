/**
 * The ladder: investors' principal is lent only where coins and instalments cover all that is owed
 * to investors, on every day ahead (docs/product.md 5.32).
 */
import { type Cents, cents, dollarsFromCents } from '@pool/contract/money'
import type { ScheduleLine } from '@pool/contract/schedules'
import type { Reading, Refused } from './movement.ts'

/** Cents that come in and that fall due on a day, which is ISO text. */
type Rung = { readonly on: string; readonly due: bigint; readonly matures: bigint }

export type Ladder = {
  /** The day, UTC. */
  readonly today: string
  /** Coins of the pool. */
  readonly coins: bigint
  /** Owed to investors at any time: available, held, and approved withdrawals. */
  readonly theirs: bigint
  /** In order. */
  readonly rungs: readonly Rung[]
}

/** Undefined while no principal of investors is lent, nor is to be. */
export type LadderState = { now: Ladder | undefined }

/** The figures that coins follow from. Whole cents of capital are as `capitalIn` has them. */
export const LENT =
  '(SELECT coalesce(sum(outstanding - (principal - from_investors) * outstanding / principal), 0)::bigint FROM loans WHERE from_investors > 0 AND outstanding > 0)'
export const OPEN_LOSS =
  '((SELECT coalesce(sum(lost), 0) FROM loan_write_offs) - (SELECT coalesce(sum(amount), 0) FROM loss_covers))::bigint'

/**
 * One statement, so one snapshot: a maturity that is paid meanwhile counts once. An instalment that
 * is past due, or of a loan in default, is no coin to come.
 */
const LADDER = `
WITH day AS (SELECT (now() AT TIME ZONE 'UTC')::date AS today), sums AS (
  SELECT coalesce(sum(balance) FILTER (WHERE kind <> 'deployed'), 0)::bigint AS guarded,
    coalesce(sum(balance) FILTER (WHERE kind IN ('available', 'held', 'outgoing')), 0)::bigint AS theirs FROM accounts
), rungs AS (
  SELECT on_day, sum(due)::bigint AS due, sum(matures)::bigint AS matures FROM (
    SELECT i.due_on AS on_day, i.principal - i.principal_paid + i.interest - i.interest_paid AS due, 0 AS matures
    FROM loans AS l JOIN loan_instalments AS i ON i.loan_id = l.id CROSS JOIN day
    WHERE l.status = 'ACTIVE' AND NOT i.replaced AND i.due_on >= today
    UNION ALL
    SELECT greatest((matures_at AT TIME ZONE 'UTC')::date, today), 0, amount + interest
    FROM transactions CROSS JOIN day WHERE investment_status = 'ACTIVE'
  ) AS each GROUP BY on_day
)
SELECT today::text AS today, theirs, guarded - (SELECT coalesce(sum(open), 0)::bigint FROM claims) - ${LENT} - ${OPEN_LOSS} AS coins,
  (SELECT coalesce(jsonb_agg(jsonb_build_object('on', on_day, 'due', due::text, 'matures', matures::text) ORDER BY on_day), '[]') FROM rungs) AS rungs
FROM day CROSS JOIN sums WHERE $1 OR EXISTS (SELECT FROM loans WHERE from_investors > 0 AND outstanding > 0)`

type Row = Omit<Ladder, 'rungs'> & {
  readonly rungs: readonly { readonly on: string; readonly due: string; readonly matures: string }[]
}

type Read = <Found>(text: string, values: readonly unknown[]) => Promise<readonly Found[]>

/** The ladder of this moment. Undefined without principal of investors that is lent or to be. */
export const readLadder = async (read: Read, isToLend: boolean): Promise<Ladder | undefined> => {
  const [row] = await read<Row>(LADDER, [isToLend])
  return (
    row && {
      ...row,
      rungs: row.rungs.map(({ on, due, matures }) => ({
        ...{ on, due: BigInt(due), matures: BigInt(matures) },
      })),
    }
  )
}

type Lent = {
  readonly principal: Cents
  readonly fromInvestors: Cents
  readonly lines: readonly ScheduleLine[]
  readonly collectionRate: number | null
}

export const ladder: Reading<Lent, LadderState> = {
  read: async (query, operations) => ({
    now: await readLadder(
      (text, values) => query('read_ladder', text, values),
      operations.some(({ fromInvestors }) => fromInvestors > 0n),
    ),
  }),
}

/** The ladder once a loan is disbursed. */
const after = (now: Ladder, { principal, lines }: Pick<Lent, 'principal' | 'lines'>): Ladder => {
  const coming = lines
    .filter(({ dueOn }) => dueOn >= now.today)
    .map(({ dueOn, principal, interest }) => ({
      ...{ on: dueOn, due: principal + interest, matures: 0n },
    }))
  const rungs = [...now.rungs, ...coming].sort((a, b) => (a.on < b.on ? -1 : 1))
  return { ...now, coins: now.coins - principal, rungs }
}

/** The first day on which the ladder does not hold, with the cents that are short. */
const shortOf = (
  { today, coins, theirs, rungs }: Ladder,
  percent: bigint,
): { readonly on: string; readonly short: Cents } | undefined => {
  let [due, owed] = [0n, theirs]
  const byDay = [...Map.groupBy(rungs, ({ on }) => on)]
  for (const [on, some] of [[today, []] as const, ...byDay]) {
    for (const each of some) {
      due += each.due
      owed += each.matures
    }
    const short = owed - coins - (due * percent) / 100n
    if (short > 0n) return { on, short: cents(short) }
  }
  return undefined
}

/**
 * The refusal of a loan of investors' principal while none is lent, and of any loan with which the
 * ladder would not hold: it names the first day and what is short on it.
 */
export const refusedLadder = (lent: Lent, { now }: LadderState): Refused | undefined => {
  const { collectionRate, fromInvestors } = lent
  if (fromInvestors > 0n && collectionRate === null) return { refused: 'principalNotLent' }
  if (!now) return undefined
  const found = shortOf(after(now, lent), BigInt(collectionRate ?? 100))
  return found && { refused: 'ladderShort', on: found.on, short: dollarsFromCents(found.short) }
}

/** Notes a loan that is disbursed, for the later ones of its group. */
export const climb = (lent: Lent, state: LadderState): void => {
  if (state.now) state.now = after(state.now, lent)
}
