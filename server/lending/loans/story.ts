/** Everything about one loan, for its page. */
import { cents, centsFromDollars, dollarsFromCents } from '@pool/contract/base/money'
import { refusal } from '@pool/contract/base/refusals'
import { timestampFromDate } from '@pool/contract/base/timestamp'
import type { LoanStory } from '@pool/contract/lending/loans'
import type { Stopped } from '@pool/contract/lending/repayments'
import { type ScheduleLine, scheduleOf } from '@pool/contract/lending/schedules'
import { yearlyRateOf } from '@pool/contract/lending/yearlyRate'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { WithConfig, WithDb } from '../../http/context.ts'
import { readDocuments } from '../borrowers/documents.ts'
import { readDefault, readMoves, readRestructurings } from './late.ts'
import { payoffToday, readLines, shownLines } from './lines.ts'
import { findLoan } from './queries.ts'
import { readCollateral, readUpdates } from './records.ts'
import { readLoan, termsOf } from './terms.ts'

const dollars = (amount: bigint) => dollarsFromCents(cents(amount))

const readRepayments = async (db: Kysely<Schema>, id: string): Promise<LoanStory['repayments']> => {
  type Amount = 'principal' | 'interest' | 'recovered' | 'toReserve'
  type RepaymentRow = Omit<LoanStory['repayments'][number], Amount | 'at'> &
    Readonly<Record<Amount, bigint>> & { readonly at: Date }
  const { rows } = await sql<RepaymentRow>`
    SELECT r.id, r.value_on::text AS "valueOn", r.reference, r.principal, r.interest, r.recovered, r.kept AS "toReserve", u.username AS "recordedBy",
      r.created_at AS at, v.reason AS "reversedFor"
    FROM loan_repayments AS r JOIN users AS u ON u.id = r.recorded_by LEFT JOIN loan_reversals AS v ON v.repayment_id = r.id
    WHERE r.loan_id = ${id} ORDER BY r.value_on, r.created_at, r.id`.execute(db)
  return rows.map(({ principal, interest, recovered, toReserve, at, ...repayment }) => ({
    ...repayment,
    principal: dollars(principal),
    interest: dollars(interest),
    recovered: dollars(recovered),
    toReserve: dollars(toReserve),
    at: timestampFromDate(at),
  }))
}

const readEvents = async (db: Kysely<Schema>, id: string): Promise<LoanStory['events']> => {
  type LoanEventRow = Omit<LoanStory['events'][number], 'amount' | 'at'> & {
    readonly amount: bigint | null
    readonly at: Date
  }
  const { rows } = await sql<LoanEventRow>`
    SELECT what, at, amount, ARRAY(
      SELECT u.username FROM unnest(people) WITH ORDINALITY AS p (id, place) JOIN users AS u ON u.id = p.id ORDER BY place
    ) AS by
    FROM (
      SELECT 'recorded' AS what, created_at AS at, principal AS amount, ARRAY[recorded_by] AS people FROM loans WHERE id = ${id}
      UNION ALL
      SELECT 'approved', decided_at, NULL, ARRAY[asked_by, decided_by] FROM proposals
      WHERE kind = 'APPROVE_LOAN' AND subject = ${id} AND status = 'DONE'
      UNION ALL
      SELECT 'reserved', s.created_at, s.principal, ARRAY[asked_by, decided_by]
      FROM loan_sendings AS s JOIN proposals AS p ON p.id = s.proposal_id WHERE s.loan_id = ${id}
      UNION ALL
      SELECT 'released', p.decided_at, s.principal, ARRAY[asked_by, decided_by]
      FROM loan_sendings AS s JOIN proposals AS p ON p.id = s.release_id WHERE s.loan_id = ${id}
      UNION ALL
      SELECT 'disbursed', d.created_at, d.principal, ARRAY[asked_by, decided_by]
      FROM loan_disbursements AS d JOIN proposals AS p ON p.id = d.id WHERE d.loan_id = ${id}
      UNION ALL
      SELECT CASE WHEN recovered > 0 THEN 'recovered' ELSE 'repaid' END, created_at, principal + interest + recovered, ARRAY[recorded_by] FROM loan_repayments WHERE loan_id = ${id}
      UNION ALL
      SELECT 'reversed', v.created_at, v.principal + v.interest + v.recovered, ARRAY[reversed_by]
      FROM loan_reversals AS v JOIN loan_repayments AS r ON r.id = v.repayment_id WHERE r.loan_id = ${id}
      UNION ALL
      SELECT 'defaulted', f.created_at, f.principal + f.interest, ARRAY[asked_by, decided_by]
      FROM loan_defaults AS f LEFT JOIN proposals AS p ON p.id = f.id WHERE f.loan_id = ${id}
      UNION ALL
      SELECT 'writtenOff', w.created_at, w.principal, ARRAY[asked_by, decided_by]
      FROM loan_write_offs AS w JOIN proposals AS p ON p.id = w.id WHERE w.loan_id = ${id}
      UNION ALL
      SELECT 'restructured', n.created_at, n.principal, ARRAY[asked_by, decided_by]
      FROM loan_restructurings AS n JOIN proposals AS p ON p.id = n.id WHERE n.loan_id = ${id}
      UNION ALL
      SELECT 'collateralAdded', created_at, value, ARRAY[recorded_by] FROM loan_collateral WHERE loan_id = ${id}
      UNION ALL
      SELECT 'documentAdded', created_at, NULL, ARRAY[recorded_by] FROM loan_documents WHERE loan_id = ${id}
      UNION ALL
      SELECT 'updated', created_at, NULL, ARRAY[written_by] FROM loan_updates WHERE loan_id = ${id}
      UNION ALL
      SELECT lower(status), closed_at, NULL, ARRAY[closed_by] FROM loans WHERE id = ${id} AND closed_at IS NOT NULL
    ) AS events ORDER BY at`.execute(db)
  return rows.map(({ amount, at, ...event }) => ({
    ...event,
    amount: amount === null ? null : dollars(amount),
    at: timestampFromDate(at),
  }))
}

/** The payment of a loan. */
const readPayment = async (
  db: Kysely<Schema>,
  { id }: LoanStory['loan'],
): Promise<Pick<LoanStory, 'evidence' | 'networkName'>> => {
  const { rows: paid } = await sql<{ evidence: string; networkName: string }>`
    SELECT evidence || coalesce(':' || output, '') AS evidence, network_name AS "networkName" FROM loan_disbursements WHERE loan_id = ${id}`.execute(
    db,
  )
  return {
    evidence: paid[0]?.evidence ?? null,
    networkName: paid[0]?.networkName ?? null,
  }
}

/** Why an application was closed. */
const readClosedFor = async (db: Kysely<Schema>, id: string): Promise<string | null> =>
  (await db.selectFrom('loans').select('closed_for').where('id', '=', id).executeTakeFirst())
    ?.closed_for ?? null

/** The loan that names this one as refinanced. */
const readRefinancing = async (db: Kysely<Schema>, id: string): Promise<string | null> => {
  const found = db
    .selectFrom('loans')
    .select('id')
    .where('refinances_id', '=', id)
    .where('closed_at', 'is', null)
  return (await found.executeTakeFirst())?.id ?? null
}

/** The planned schedule of a loan that is not disbursed. */
const plannedLines = (lines: readonly ScheduleLine[]): LoanStory['lines'] =>
  lines.map(({ dueOn, principal, interest, balance }, index) => ({
    number: index + 1,
    dueOn,
    paid: 0,
    interestPaid: 0,
    principal: dollars(principal),
    interest: dollars(interest),
    balance: dollars(balance),
  }))

/** The lines in force, and those of each schedule that new terms ended. */
const linesOf = (
  lines: Awaited<ReturnType<typeof readLines>>,
  restructurings: readonly { readonly firstNumber: number }[],
): Pick<LoanStory, 'lines' | 'replacedLines'> => {
  const versionOf = (number: number) =>
    restructurings.filter(({ firstNumber }) => firstNumber <= number).length
  const byVersion = Map.groupBy(lines, ({ number }) => versionOf(number))
  const versions = [...byVersion.values()].map(shownLines)
  return { lines: versions.at(-1) ?? [], replacedLines: versions.slice(0, -1).flat() }
}

const stoppedBy = ({ on, stopped }: NonNullable<LoanStory['default']>): Stopped => ({
  on,
  earned: stopped
    ? { number: stopped.number, interest: centsFromDollars(stopped.interest) }
    : undefined,
})

/** The story of a loan. Throws `loanNotFound`. */
export const readLoanStory = async (
  context: WithDb & WithConfig,
  id: string,
): Promise<LoanStory> => {
  const { db } = context
  const loan = await findLoan(context, id)
  if (!loan) throw refusal('loanNotFound')
  const terms = termsOf(await readLoan(db, id), loan.disburseOn)
  const planned = scheduleOf(terms)
  const stored = await readLines(db, id)
  const restructurings = await readRestructurings(db, id)
  const last = restructurings.at(-1)
  const ended = await readDefault(db, id)
  const accruing = {
    from: last?.startsOn ?? loan.disburseOn,
    fromAs: last?.startsAs ?? null,
    rateBasisPoints: last?.rateBasisPoints ?? loan.rateBasisPoints,
    dayCount: last?.dayCount ?? loan.dayCount,
    period: last?.period ?? loan.period,
    dueDay: last?.dueDay ?? loan.dueDay,
    ...(last && {
      carried: { number: last.firstNumber, interest: centsFromDollars(last.interest) },
    }),
    ...(ended && { stopped: stoppedBy(ended) }),
  }
  const isOwing = loan.status === 'ACTIVE' || loan.status === 'DEFAULTED'
  return {
    loan,
    ...(stored.length > 0
      ? linesOf(stored, restructurings)
      : { lines: plannedLines(planned), replacedLines: [] }),
    payoff: isOwing ? payoffToday(stored, accruing) : null,
    yearlyRate: yearlyRateOf(terms, planned),
    repayments: await readRepayments(db, id),
    events: await readEvents(db, id),
    moves: await readMoves(db, id),
    default: ended,
    restructurings: [...restructurings],
    collateral: await readCollateral(db, id),
    documents: await readDocuments(db, { type: 'loan', id }),
    updates: await readUpdates(db, id),
    closedFor: await readClosedFor(db, id),
    refinancedById: await readRefinancing(db, id),
    ...(await readPayment(db, loan)),
  }
}
