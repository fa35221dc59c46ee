/**
 * The ladder: investors' principal is lent only where coins and instalments cover all that is owed
 * to investors, on every day ahead (docs/product.md 5.32).
 */
import { type Cents, cents, dollarsFromCents } from '@pool/contract/base/money'
import type { ScheduleLine } from '@pool/contract/lending/schedules'
import type { Refused, StateReading } from './movement.ts'

/** Cents that come in and that fall due on a day, which is ISO text. */
type LadderDay = { readonly on: string; readonly due: bigint; readonly matures: bigint }

export type Ladder = {
  /** The day, UTC. */
  readonly today: string
  /** Coins of the pool. */
  readonly coins: bigint
  /** Owed to investors at any time: available, held, and approved withdrawals. */
  readonly theirs: bigint
  /** In order. */
  readonly days: readonly LadderDay[]
}

/** Without `now` no principal of investors is lent, nor is to be. */
export type LadderState = {
  now: Ladder | undefined
  /** Cents of losses that nothing bears yet. */
  readonly openLoss: bigint
  /** True while the pool winds down, when nothing is lent. */
  readonly isWindingDown: boolean
}

/**
 * One snapshot, so that a maturity that is paid meanwhile counts once. Instalments past due or in
 * default are no coins to come, and after the last maturity nothing more is owed.
 */
const LADDER = `
WITH day AS (
  SELECT today, greatest(today, ((SELECT max(matures_at) FROM transactions WHERE investment_status = 'ACTIVE') AT TIME ZONE 'UTC')::date) AS last
  FROM (SELECT (now() AT TIME ZONE 'UTC')::date AS today) AS now
), sums AS (
  SELECT coalesce(-sum(balance) FILTER (WHERE kind = 'custody'), 0)::bigint AS coins,
    coalesce(sum(balance) FILTER (WHERE kind IN ('available', 'held', 'outgoing')), 0)::bigint AS theirs FROM accounts
), days AS (
  SELECT on_day, sum(due)::bigint AS due, sum(matures)::bigint AS matures FROM (
    SELECT i.due_on AS on_day, i.principal - i.principal_paid + i.interest - i.interest_paid AS due, 0 AS matures
    FROM day JOIN loan_instalments AS i ON i.due_on BETWEEN today AND last JOIN loans AS l ON l.id = i.loan_id
    WHERE l.status = 'ACTIVE' AND (i.principal_paid < i.principal OR i.interest_paid < i.interest) AND NOT i.replaced
    UNION ALL
    SELECT greatest((matures_at AT TIME ZONE 'UTC')::date, today), 0, amount - borne + interest
    FROM transactions CROSS JOIN day WHERE investment_status = 'ACTIVE'
  ) AS each GROUP BY on_day
)
SELECT today::text AS today, theirs, coins - reserved_principal() AS coins,
  (SELECT coalesce(jsonb_agg(jsonb_build_object('on', on_day, 'due', due::text, 'matures', matures::text) ORDER BY on_day), '[]') FROM days) AS days
FROM day CROSS JOIN sums WHERE $1 OR EXISTS (SELECT FROM loans WHERE from_investors > 0 AND outstanding > 0) OR reserved_principal() > 0`

const OPEN = `SELECT open_loss() AS open, EXISTS (SELECT FROM current_wind_down()) AS "isWindingDown"`

type LadderRow = Omit<Ladder, 'days'> & {
  readonly days: readonly { readonly on: string; readonly due: string; readonly matures: string }[]
}

type ReadRows = <Found>(text: string, values: readonly unknown[]) => Promise<readonly Found[]>

/** The ladder of this moment, where principal of investors is lent or to be, and the open loss. */
export const readLadder = async (read: ReadRows, isToLend: boolean): Promise<LadderState> => {
  const [[row], [loss]] = await Promise.all([
    read<LadderRow>(LADDER, [isToLend]),
    read<{ open: bigint; isWindingDown: boolean }>(OPEN, []),
  ])
  const days = row?.days.map(({ on, due, matures }) => ({
    on,
    due: BigInt(due),
    matures: BigInt(matures),
  }))
  return {
    now: row && { ...row, days: days ?? [] },
    openLoss: loss?.open ?? 0n,
    isWindingDown: loss?.isWindingDown ?? false,
  }
}

type Lent = {
  readonly principal: Cents
  readonly fromInvestors: Cents
  readonly lines: readonly ScheduleLine[]
  readonly collectionRate: number | null
}

export const ladder: StateReading<Lent, LadderState> = {
  read: (query, operations) =>
    readLadder(
      (text, values) => query(text === OPEN ? 'read_loss' : 'read_ladder', text, values),
      operations.some(({ fromInvestors }) => fromInvestors > 0n),
    ),
}

/** The ladder once a loan is disbursed. */
const after = (now: Ladder, { principal, lines }: Pick<Lent, 'principal' | 'lines'>): Ladder => {
  const coming = lines
    .filter(({ dueOn }) => dueOn >= now.today)
    .map(({ dueOn, principal, interest }) => ({
      on: dueOn,
      due: principal + interest,
      matures: 0n,
    }))
  const days = [...now.days, ...coming].sort((a, b) => (a.on < b.on ? -1 : 1))
  return { ...now, coins: now.coins - principal, days }
}

/** The first day on which the ladder does not hold, with the cents that are short. */
const shortOf = (
  { today, coins, theirs, days }: Ladder,
  percent: bigint,
): { readonly on: string; readonly short: Cents } | undefined => {
  let [due, owed] = [0n, theirs]
  const byDay = [...Map.groupBy(days, ({ on }) => on)]
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
 * The refusal of any loan in a wind-down or with an open loss, of lent principal where none may be,
 * and of one with which the ladder would not hold: its first short day, and by how much.
 */
export const refusedLadder = (
  lent: Lent,
  { now, openLoss, isWindingDown }: LadderState,
): Refused | undefined => {
  const { collectionRate, fromInvestors } = lent
  if (isWindingDown) return { refused: 'windingDown' }
  if (openLoss > 0n) return { refused: 'lossOpen' }
  if (fromInvestors > 0n && collectionRate === null) return { refused: 'principalNotLent' }
  if (!now) return undefined
  const found = shortOf(after(now, lent), BigInt(collectionRate ?? 100))
  return found && { refused: 'ladderShort', on: found.on, short: dollarsFromCents(found.short) }
}

/** Notes a loan that is disbursed, for the later ones of its group. */
export const applyToLadder = (lent: Lent, state: LadderState): void => {
  if (state.now) state.now = after(state.now, lent)
}
