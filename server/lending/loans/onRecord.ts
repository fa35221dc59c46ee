/** Lines of files whose borrower or loan is on record already, or in a line above. */
import { centsFromDollars } from '@pool/contract/base/money'
import type { FileProblem } from '@pool/contract/lending/loanFiles'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { inPieces } from '../../base/process/pieces.ts'
import { fileProblem } from './problems.ts'
import type { LineFields, Problem } from './readFile.ts'

type NumberedLine = { readonly line: number }

/** Problems of the lines in `found`, and of those whose key an earlier line has. */
const problemsOf = async <Of extends NumberedLine>(
  code: FileProblem,
  lines: readonly Of[],
  found: readonly NumberedLine[],
  keyOf: (of: Of) => readonly unknown[],
): Promise<Problem[]> => {
  const twice = new Set(found.map(({ line }) => line))
  const keys = new Set<string>()
  await inPieces(lines, (of) => {
    const key = JSON.stringify(keyOf(of))
    if (keys.has(key)) twice.add(of.line)
    keys.add(key)
  })
  return [...twice].map((line) => fileProblem(line, code))
}

type NamedBorrower = NumberedLine & {
  readonly name: string
  readonly country: string
  readonly kind: string
  readonly userId: string | null
}

/** Lines whose borrower is on record with the same name, country, kind and account. */
export const findBorrowersTwice = async (
  db: Kysely<Schema>,
  lines: readonly NamedBorrower[],
): Promise<Problem[]> => {
  const of = <Value>(pick: (of: NamedBorrower) => Value) => lines.map(pick)
  const { rows } = await sql<NumberedLine>`
    SELECT g.line FROM unnest(${of(({ line }) => line)}::int[], ${of(({ name }) => name)}::text[], ${of(({ country }) => country)}::text[],
      ${of(({ kind }) => kind)}::text[], ${of(({ userId }) => userId)}::uuid[]) AS g (line, name, country, kind, user_id)
    JOIN borrowers AS b ON lower(b.name) = lower(g.name) AND (b.country, b.kind) = (g.country, g.kind)
      AND b.user_id IS NOT DISTINCT FROM g.user_id`.execute(db)
  return problemsOf('borrowerTwice', lines, rows, ({ name, country, kind, userId }) => [
    name.toLowerCase(),
    country,
    kind,
    userId,
  ])
}

type NamedLoan = NumberedLine & {
  readonly borrowerId: string
  readonly fields: LineFields<'loans'>
}

/** Lines whose loan is on record with the same borrower and terms, unless it was given up. */
export const findLoansTwice = async (
  db: Kysely<Schema>,
  lines: readonly NamedLoan[],
): Promise<Problem[]> => {
  const of = <Value>(pick: (fields: NamedLoan['fields']) => Value) =>
    lines.map(({ fields }) => pick(fields))
  const { rows } = await sql<NumberedLine>`
    SELECT g.line FROM unnest(${lines.map(({ line }) => line)}::int[], ${lines.map(({ borrowerId }) => borrowerId)}::uuid[],
      ${of(({ purpose }) => purpose)}::text[], ${of(({ amount }) => centsFromDollars(amount))}::bigint[],
      ${of(({ rateBasisPoints }) => rateBasisPoints)}::int[], ${of(({ schedule }) => schedule)}::text[], ${of(({ period }) => period)}::text[],
      ${of(({ dayCount }) => dayCount)}::text[], ${of(({ instalments }) => instalments)}::int[], ${of(({ dueDay }) => dueDay)}::int[],
      ${of(({ disburseOn }) => disburseOn)}::date[], ${of(({ firstDueOn }) => firstDueOn)}::date[],
      ${of(({ fromInvestors }) => centsFromDollars(fromInvestors ?? 0))}::bigint[])
      AS g (line, borrower_id, purpose, principal, rate, schedule, period, day_count, instalments, due_day, disburse_on, first_due_on, from_investors)
    JOIN loans AS l ON l.borrower_id = g.borrower_id AND l.status NOT IN ('WITHDRAWN', 'DECLINED')
      AND (l.purpose, l.principal, l.rate_basis_points, l.schedule, l.period) = (g.purpose, g.principal, g.rate, g.schedule, g.period)
      AND (l.day_count, l.instalments, l.due_day, l.disburse_on, l.first_due_on, l.from_investors)
        = (g.day_count, g.instalments, g.due_day, g.disburse_on, g.first_due_on, g.from_investors)`.execute(
    db,
  )
  return problemsOf('loanTwice', lines, rows, ({ borrowerId, fields }) => {
    const { borrower: _, ...terms } = fields
    return [borrowerId, Object.entries(terms).sort()]
  })
}
