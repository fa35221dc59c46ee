/** The report of a rehearsal, as an operator would publish it. All from the database. */
import { cents, dollarsFromCents, formatDollars } from '@pool/contract/base/money'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { checkLedger, findingOf } from '../../ledger/check/check.ts'
import { contributedFor } from '../../ledger/sums/contributed.ts'
import { readFlows } from '../../ledger/sums/flowsSince.ts'
import { readLeft, readRunOff } from '../../ledger/sums/runOff.ts'
import { percentOf } from '../../lending/loans/stress.ts'
import { checkAudit } from '../../records/audit/check.ts'
import { checkStatements, type StatementsCheck } from '../../reports/statements/check.ts'
import type { DemoContext } from '../demo/life.ts'
import { SHORTFALL } from './loans.ts'
import type { Rehearsal } from './state.ts'

/** Dollars, and moments as ISO text. */
export type Report = {
  /** The percent of the outstanding principal that was asked for. */
  readonly defaultPercent: number
  /** Loans that pay nothing, their outstanding principal, and what percent of all of it that is. */
  readonly defaulting: {
    readonly loans: number
    readonly amount: number
    readonly percent: number
  }
  readonly beganAt: string
  readonly lastMaturityAt: string | null
  /** The moments by which so many percent of the withdrawn money was paid. */
  readonly paidBy: Readonly<Record<'half' | 'most' | 'all', string | null>>
  readonly endedAt: string | null
  readonly opening: Readonly<Record<string, number>>
  /** Dollars by month and movement. */
  readonly months: readonly {
    readonly month: string
    readonly movement: string
    readonly count: number
    readonly amount: number
  }[]
  /** Capital that the operator had to add, as the reserve did not reach. */
  readonly shortfall: number
  readonly sharedLoss: number
  readonly capitalTaken: number
  /** Balances that are left, and their investors. */
  readonly unclaimed: { readonly investors: number; readonly amount: number }
  /** Sums by account at the end. */
  readonly left: Readonly<Record<string, number>>
  /** Statements of investors and of the pool that were checked, and those that are not true. */
  readonly statements: StatementsCheck
  /** The first fault of the books, the trail or the statements. */
  readonly fault: string | null
  /** The cause of a stop before the end, and the way on. */
  readonly stoppedBy: string | null
}

const inDollars = (amount: bigint | string): number => dollarsFromCents(cents(BigInt(amount)))

type Sums = { readonly shared: bigint; readonly taken: bigint; readonly last: Date | null }

const readSums = async (db: Kysely<Schema>, since: Date): Promise<Sums | undefined> => {
  const { rows } = await sql<Sums>`
    SELECT (SELECT coalesce(sum(amount), 0)::bigint FROM loss_sharings WHERE created_at >= ${since}) AS shared,
      (SELECT coalesce(sum(amount), 0)::bigint FROM capital_withdrawals WHERE created_at >= ${since}) AS taken,
      (SELECT last_maturity_at FROM current_wind_down()) AS last`.execute(db)
  return rows[0]
}

type Paid = { readonly half: Date | null; readonly most: Date | null; readonly all: Date | null }

/** The moments at which half, 95 % and all of the money that left by withdrawals had left. */
const readPaid = async (db: Kysely<Schema>, since: Date): Promise<Paid | undefined> => {
  const { rows } = await sql<Paid>`
    WITH paid AS (
      SELECT completed_at AS at, sum(amount) OVER (ORDER BY completed_at, id) AS so_far, sum(amount) OVER () AS total
      FROM transactions WHERE type = 'withdrawal' AND status = 'COMPLETED' AND completed_at >= ${since}
    )
    SELECT min(at) FILTER (WHERE so_far * 2 >= total) AS half, min(at) FILTER (WHERE so_far * 20 >= total * 19) AS most, max(at) AS all FROM paid`.execute(
    db,
  )
  return rows[0]
}

const iso = (moment: Date | null | undefined): string | null => moment?.toISOString() ?? null

/** Reads the report, and checks the books, the trail and every statement. */
export const readReport = async (
  { db, keys }: Pick<DemoContext, 'db' | 'keys'>,
  { percent, beganAt, endedAt, opening, defaulting }: Rehearsal,
  stoppedBy?: string,
): Promise<Report> => {
  const sums = await readSums(db, beganAt)
  const paid = await readPaid(db, beganAt)
  const left = await readLeft(db)
  const { holders: _, taken: __, ...accounts } = await readRunOff(db)
  const finding = findingOf(await checkLedger(db, keys))
  const { firstBreak } = await checkAudit({ db, keys })
  const statements = await checkStatements(db)
  const lost = cents(Object.values(defaulting).reduce((sum, each) => sum + BigInt(each), 0n))
  return {
    defaultPercent: percent,
    defaulting: {
      loans: Object.keys(defaulting).length,
      amount: inDollars(lost),
      percent: percentOf({ loss: lost, outstanding: cents(BigInt(opening.outstanding ?? 0)) }),
    },
    beganAt: beganAt.toISOString(),
    lastMaturityAt: iso(sums?.last),
    paidBy: { half: iso(paid?.half), most: iso(paid?.most), all: iso(paid?.all) },
    endedAt: iso(endedAt),
    opening: Object.fromEntries(
      Object.entries(opening).map(([name, sum]) => [name, inDollars(sum)]),
    ),
    months: (await readFlows(db, beganAt)).map(({ amount, ...flow }) => ({
      ...flow,
      amount: inDollars(amount),
    })),
    shortfall: inDollars(await contributedFor(db, SHORTFALL)),
    sharedLoss: inDollars(sums?.shared ?? 0n),
    capitalTaken: inDollars(sums?.taken ?? 0n),
    unclaimed: {
      investors: left.length,
      amount: inDollars(left.reduce((sum, { balance }) => sum + balance, 0n)),
    },
    left: Object.fromEntries(Object.entries(accounts).map(([name, sum]) => [name, inDollars(sum)])),
    statements,
    fault: finding ?? firstBreak?.sentence ?? statements.untrue[0] ?? null,
    stoppedBy: stoppedBy ?? null,
  }
}

const day = (moment: string | null): string => moment?.slice(0, 10) ?? 'never'

const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`

/** The report in Markdown. */
export const markdownOf = (report: Report): string => {
  const { paidBy, opening, months, left, unclaimed, statements, defaulting } = report
  const sumsOf = (sums: Readonly<Record<string, number>>) =>
    Object.entries(sums).map(([name, sum]) => row(name, formatDollars(sum)))
  return [
    '# A wind-down, rehearsed',
    '',
    `From ${day(report.beganAt)} on no new money is taken. ${defaulting.loans} loans with ${formatDollars(defaulting.amount)} pay nothing from then on. That is ${defaulting.percent.toFixed(2)} % of the outstanding principal. At least ${report.defaultPercent} % was asked for.`,
    '',
    ...(report.stoppedBy === null
      ? []
      : [`**It stopped before the end.** ${report.stoppedBy}`, '']),
    row('what', 'when'),
    row('---', '---'),
    row('last investment matures', day(report.lastMaturityAt)),
    row('half of the withdrawn money is paid', day(paidBy.half)),
    row('95 % of it is paid', day(paidBy.most)),
    row('all of it is paid', day(paidBy.all)),
    row("the operator's capital has left", day(report.endedAt)),
    '',
    `Investors share a loss of ${formatDollars(report.sharedLoss)}. The operator adds ${formatDollars(report.shortfall)} that the reserve lacks, and takes out ${formatDollars(report.capitalTaken)}.`,
    `Left by ${unclaimed.investors} investors: ${formatDollars(unclaimed.amount)}.`,
    '',
    '## At the begin',
    '',
    row('account', 'dollars'),
    row('---', '---:'),
    ...sumsOf(opening),
    '',
    '## Month by month',
    '',
    row('month', 'movement', 'how many', 'dollars'),
    row('---', '---', '---:', '---:'),
    ...months.map(({ month, movement, count, amount }) =>
      row(month, movement, String(count), formatDollars(amount)),
    ),
    '',
    '## At the end',
    '',
    row('account', 'dollars'),
    row('---', '---:'),
    ...sumsOf(left),
    '',
    report.fault
      ? `The books are not whole: ${report.fault}`
      : 'Every balance equals its transfers, and the audit trail is whole.',
    '',
    statements.untrue.length === 0
      ? `All ${statements.checked} statements of investors and of the pool are true: each opens with the end of the one before, the last ends with the balances, and all together are the ledger.`
      : `Of ${statements.checked} statements these are not true:\n\n${statements.untrue.map((each) => `- ${each}`).join('\n')}`,
    '',
  ].join('\n')
}
