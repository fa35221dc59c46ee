/** Repayments of a file: judged by the ledger's own rule first, then posted. */
import { cents, centsFromDollars } from '@pool/contract/base/money'
import { Refusal, refusalFrom } from '@pool/contract/base/refusals'
import { type Kysely, sql } from 'kysely'
import { newId } from '../../base/db/ids.ts'
import type { Schema } from '../../base/db/schema.ts'
import { inPieces } from '../../base/process/pieces.ts'
import type { Caller } from '../../base/sessions/actor.ts'
import type { OnLedger } from '../../http/context.ts'
import { queryOf } from '../../ledger/engine/within.ts'
import { loanMovements, refusedAlone } from '../../ledger/families/loans.ts'
import { countAlone } from '../../ledger/families/lone.ts'
import type { Query } from '../../ledger/families/movement.ts'
import { signEntry } from '../../records/audit/entry.ts'
import type { OnRecord } from '../../records/audit/record.ts'
import { fileProblem, firstProblems, refusedLine } from './problems.ts'
import type { FileLines, Line, Problem } from './readFile.ts'
import { readFileApart } from './readFileApart.ts'
import { repayLoan } from './repay.ts'

type Importing = {
  readonly csv: string
  readonly dryRun: boolean
  readonly by: Caller
  /** The proposal that two people agreed on, where one person may not. */
  readonly agreedId?: string | undefined
}
type Repayment = {
  readonly loanId: string
  readonly amount: number
  readonly valueOn: string
  readonly reference: string
}
type Lines = FileLines<Repayment>

/** Repayments that are posted at once. */
const AT_ONCE = 500

/** True for lines whose repayment is recorded already, exactly so: the file was begun before. */
const readRecorded = async (
  db: Kysely<Schema>,
  lines: readonly Line<Repayment>[],
): Promise<ReadonlySet<number>> => {
  const of = <Value>(pick: (repayment: Repayment) => Value) =>
    lines.map(({ fields }) => pick(fields))
  const { rows } = await sql<{ line: number }>`
    SELECT g.line FROM unnest(${lines.map(({ line }) => line)}::int[], ${of(({ loanId }) => loanId)}::uuid[],
      ${of(({ amount }) => centsFromDollars(amount))}::bigint[], ${of(({ valueOn }) => valueOn)}::date[],
      ${of(({ reference }) => reference)}::text[]) AS g (line, loan_id, amount, value_on, reference)
    JOIN loan_repayments AS r ON lower(r.reference) = lower(g.reference) AND NOT r.reversed
    WHERE (r.loan_id, r.principal + r.interest, r.value_on) = (g.loan_id, g.amount, g.value_on)`.execute(
    db,
  )
  return new Set(rows.map(({ line }) => line))
}

/** The agreement under which lines are judged, so that only their own problems are named. */
const TRIAL = 'trial'

type Judged = { readonly problems: readonly Problem[]; readonly takesTwo: boolean }

/**
 * Runs the rule of repayments over the lines, in their order, and writes nothing. Tells if one
 * person may not record them alone.
 */
const judge = (
  { db, keys }: OnRecord,
  lines: readonly Line<Repayment>[],
  by: Caller,
): Promise<Judged> =>
  db.transaction().execute(async (transaction) => {
    const query: Query = queryOf(transaction)
    const entry = signEntry(keys, {
      by,
      action: 'loan.repaid',
      subject: { type: 'loan', id: by.id },
      after: {},
    })
    const operations = await inPieces(lines, ({ fields: { amount, ...fields } }) => ({
      movement: 'loan_repaid' as const,
      id: newId(),
      by,
      entry,
      agreedId: TRIAL,
      ...fields,
      amount: centsFromDollars(amount),
    }))
    const { reads, rule } = loanMovements.loan_repaid
    const states = {
      loans: await reads.loans.read(query, operations),
      references: await reads.references.read(query, operations),
      agreements: new Map([[TRIAL, { kind: 'IMPORT_REPAYMENTS', subject: '', payload: {} }]]),
      lone: await reads.lone.read(query, operations),
      uses: await reads.uses.read(query, operations),
    }
    const at = new Date().toISOString()
    let takesTwo = false
    const found = await inPieces(operations.entries(), ([index, operation]) => {
      const ruling = rule(operation, states, at)
      if (!('refused' in ruling)) {
        const { loanId, amount, valueOn } = operation
        const about = states.loans.get(loanId)?.borrowerId ?? ''
        const act = { by: by.id, about, amount, valueOn }
        takesTwo ||= refusedAlone(states.lone, act, at) !== undefined
        countAlone(states.lone, act)
        ruling.note?.()
        return []
      }
      const line = lines[index]?.line ?? 0
      const refused = refusalFrom(ruling)
      return refused ? refusedLine(line, refused, null) : fileProblem(line, 'badValue')
    })
    return { problems: found.flat(), takesTwo }
  })

/** Posts the lines, those of one loan in their order. Returns the lines that a race refused. */
const postAll = async (
  context: OnLedger,
  lines: readonly Line<Repayment>[],
  { by, agreedId }: Pick<Importing, 'by' | 'agreedId'>,
): Promise<readonly Problem[]> => {
  const problems: Problem[] = []
  for (let from = 0; from < lines.length; from += AT_ONCE) {
    const some = lines.slice(from, from + AT_ONCE)
    const outcomes = await Promise.allSettled(
      some.map(({ fields: { amount, ...fields } }) =>
        repayLoan(context, { ...fields, amount: cents(centsFromDollars(amount)), by, agreedId }),
      ),
    )
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.status === 'fulfilled') continue
      if (!(outcome.reason instanceof Refusal)) throw outcome.reason
      problems.push(refusedLine(some[index]?.line ?? 0, outcome.reason, null))
    }
  }
  return problems
}

/**
 * Imports repayments, but those of an earlier try. Names lines that a race refuses later. Writes
 * nothing where the file takes two people who did not agree.
 */
export const importRepayments = async (
  context: OnLedger,
  { csv, dryRun, by, agreedId }: Importing,
) => {
  const file: Lines = await readFileApart('repayments', csv)
  const recorded = await readRecorded(context.db, file.lines)
  const lines = file.lines.filter(({ line }) => !recorded.has(line))
  const { problems, takesTwo } = await judge(context, lines, by)
  const isBad = file.problems.length + problems.length > 0
  const waits = takesTwo && agreedId === undefined
  const isPosted = !dryRun && !isBad && !waits
  const late = isPosted ? await postAll(context, lines, { by, agreedId }) : []
  return {
    lines: file.total,
    takesTwo: waits && !isBad,
    amount: lines.reduce((sum, { fields }) => sum + centsFromDollars(fields.amount), 0n),
    recorded: isPosted ? lines.length - late.length : 0,
    skipped: recorded.size,
    problems: firstProblems([...file.problems, ...problems, ...late]),
  }
}
