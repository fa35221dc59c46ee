/** Imports a file of the loan book, whole or not at all (docs/product.md 5.29). */
import { centsFromDollars } from '@pool/contract/base/money'
import { refusal } from '@pool/contract/base/refusals'
import type { LoanFileKind } from '@pool/contract/lending/loanFiles'
import { termsFrom } from '@pool/contract/lending/loanTerms'
import { type Kysely, sql } from 'kysely'
import type { Config } from '../../base/configuration/config.ts'
import { newId } from '../../base/db/ids.ts'
import type { Schema } from '../../base/db/schema.ts'
import { takeLock } from '../../base/locks.ts'
import { inPieces } from '../../base/process/pieces.ts'
import type { Caller } from '../../base/sessions/actor.ts'
import type { WithConfig, WithKeys } from '../../http/context.ts'
import type { Entry } from '../../records/audit/entry.ts'
import { type OnRecord, record } from '../../records/audit/record.ts'
import { findBorrowersTwice, findLoansTwice } from './onRecord.ts'
import { fileProblem, firstProblems, refusedLine } from './problems.ts'
import type { FileLines, Line, LineFields, Problem } from './readFile.ts'
import { readFileApart } from './readFileApart.ts'
import { fundingFault, takenOverFault } from './recordLoan.ts'
import { collateralOf } from './records.ts'

type Importing = { readonly csv: string; readonly dryRun: boolean; readonly by: Caller }

type Imported = {
  readonly lines: number
  readonly recorded: number
  readonly skipped: number
  readonly problems: Problem[]
}

/** Rows of one statement. */
const CHUNK = 500

const chunks = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / CHUNK) }, (_, index) =>
    items.slice(index * CHUNK, (index + 1) * CHUNK),
  )

/** The result of a file, whose lines were read and judged. */
const resultOf = (
  { total, problems }: FileLines<unknown>,
  more: readonly Problem[],
  recorded: number,
  skipped = 0,
): Imported => ({
  lines: total,
  recorded,
  skipped,
  problems: firstProblems([...problems, ...more]),
})

/** Imports follow each other, so that each finds what the last one wrote. */
const locked = async (transaction: Kysely<Schema>): Promise<Kysely<Schema>> => {
  await takeLock(transaction, 'files')
  return transaction
}

/** Records acts of one caller, whose session is asked for once. */
const recordAll = async (
  transaction: Kysely<Schema>,
  { keys }: WithKeys,
  entries: readonly Entry[],
): Promise<void> => {
  for (const [index, some] of chunks(entries).entries())
    await record(
      transaction,
      keys,
      ...some.map((entry, place) =>
        index + place === 0 ? entry : { ...entry, by: { ...entry.by, session: undefined } },
      ),
    )
}

const importBorrowers = async (
  { db, keys }: OnRecord,
  { csv, dryRun, by }: Importing,
): Promise<Imported> => {
  const file = await readFileApart('borrowers', csv)
  const emails = file.lines.flatMap(({ fields }) => fields.userEmail ?? [])
  const users = await db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('username', '=', sql<string>`ANY (${emails}::text[])`)
    .execute()
  const byEmail = new Map(users.map(({ id, username }) => [username, id]))
  const problems: Problem[] = file.lines.flatMap(({ line, fields: { userEmail, relation } }) => {
    if (userEmail !== undefined && !byEmail.has(userEmail))
      return refusedLine(line, refusal('userNotFound'), 'user_email')
    return relation === 'staff' && userEmail === undefined
      ? refusedLine(line, refusal('relatedUnnamed'), 'user_email')
      : []
  })
  const named = file.lines.map(({ line, fields: { name, country, kind, userEmail } }) => ({
    line,
    name,
    country,
    kind,
    userId: byEmail.get(userEmail ?? '') ?? null,
  }))
  problems.push(...(await findBorrowersTwice(db, named)))
  if (dryRun || file.problems.length + problems.length > 0) return resultOf(file, problems, 0)
  const rows = await inPieces(file.lines, ({ fields }) => ({ id: newId(), ...fields }))
  const late = await db.transaction().execute(async (transaction) => {
    const twice = await findBorrowersTwice(await locked(transaction), named)
    if (twice.length > 0) return twice
    for (const some of chunks(rows))
      await transaction
        .insertInto('borrowers')
        .values(
          some.map(({ userEmail, gradeReason, ...row }) => ({
            ...row,
            grade_reason: gradeReason,
            user_id: byEmail.get(userEmail ?? '') ?? null,
            recorded_by: by.id,
          })),
        )
        .execute()
    await recordAll(
      transaction,
      { keys },
      rows.map(({ id, gradeReason, ...after }) => ({
        by,
        action: 'borrower.recorded',
        subject: { type: 'borrower', id },
        after: {
          ...after,
          ...(after.userEmail && { userId: byEmail.get(after.userEmail) }),
        },
        reason: gradeReason,
      })),
    )
    return []
  })
  return resultOf(file, late, late.length > 0 ? 0 : rows.length)
}

/** Borrowers that lines name by id or by name. A name of several is none. */
const borrowersNamed = async (db: Kysely<Schema>, names: readonly string[], by: Caller) => {
  type NamedBorrower = { id: string; name: string; own: boolean; named: string; found: number }
  const { rows } = await sql<NamedBorrower>`
    SELECT (min(b.id::text)) AS id, min(b.name) AS name, coalesce(bool_or(is_same_person(b.user_id, ${by.id})), false) AS own, given AS named, count(*)::int AS found
    FROM unnest(${names}::text[]) AS given JOIN borrowers AS b ON b.id::text = given OR b.name = given GROUP BY given`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.named, row]))
}

const dateOf = (text: string) => sql<Date>`${text}::date`

type LoanLine = Line<LineFields<'loans'>>

/** The collateral of a line, or null without one. Undefined where a part of it is missing. */
const collateralIn = ({ collateral, collateralValue, collateralValuedOn }: LoanLine['fields']) => {
  const parts = [collateral, collateralValue, collateralValuedOn]
  if (parts.every((part) => part === undefined)) return null
  if (collateral === undefined || collateralValue === undefined) return undefined
  if (collateralValuedOn === undefined) return undefined
  return { description: collateral, value: collateralValue, valuedOn: collateralValuedOn }
}

/** Faults of an application that its fields alone do not show. */
const loanFaults = (
  config: Config,
  { line, fields }: LoanLine,
  borrower: { readonly found: number; readonly own: boolean } | undefined,
): Problem[] => {
  if (!borrower) return [refusedLine(line, refusal('borrowerNotFound'), 'borrower')]
  if (borrower.found > 1) return [fileProblem(line, 'severalNames', {}, 'borrower')]
  const faults: Problem[] = []
  const [principal, ofInvestors] = [
    centsFromDollars(fields.amount),
    centsFromDollars(fields.fromInvestors ?? 0),
  ]
  const funding = fundingFault(config, ofInvestors, principal)
  if (funding) faults.push(refusedLine(line, funding, 'from_investors'))
  const terms = termsFrom(fields)
  if (typeof terms === 'string')
    faults.push(refusedLine(line, refusal('badTerms', { problem: terms })))
  const takenOver = takenOverFault(fields)
  if (takenOver) faults.push(refusedLine(line, takenOver, 'taken_over_on'))
  const secured = collateralIn(fields)
  if (secured && borrower.own) faults.push(refusedLine(line, refusal('ownLoan'), 'collateral'))
  if (secured === undefined) faults.push(fileProblem(line, 'collateralPartly', {}, 'collateral'))
  return faults
}

/** The rows and entries of an application, and of its collateral if it has any. */
const rowsOf = (
  { fields }: LoanLine,
  { id: borrowerId, name }: { readonly id: string; readonly name: string },
  by: Caller,
) => {
  const { borrower: _, collateral, collateralValue, collateralValuedOn, ...typed } = fields
  const { fromInvestors = 0, takenOverOn, ...terms } = typed
  const id = newId()
  const subject = { type: 'loan', id } as const
  const secured = collateralIn(fields)
  const security = secured ? { id: newId(), ...collateralOf(secured) } : null
  const entries: Entry[] = [
    { by, action: 'loan.recorded', subject, after: { borrowerId, borrower: name, ...typed } },
  ]
  if (security)
    entries.push({
      by,
      action: 'loan.collateralAdded',
      subject,
      after: { collateral: security.id, ...security.fact },
    })
  return {
    entries,
    loan: {
      id,
      borrower_id: borrowerId,
      purpose: terms.purpose,
      principal: centsFromDollars(terms.amount),
      schedule: terms.schedule,
      rate_basis_points: terms.rateBasisPoints,
      period: terms.period,
      day_count: terms.dayCount,
      instalments: terms.instalments,
      due_day: terms.dueDay,
      disburse_on: dateOf(terms.disburseOn),
      first_due_on: dateOf(terms.firstDueOn),
      recorded_by: by.id,
      from_investors: centsFromDollars(fromInvestors),
      taken_over_on: takenOverOn === undefined ? null : dateOf(takenOverOn),
    },
    collateral: security && { id: security.id, loan_id: id, recorded_by: by.id, ...security.row },
  }
}

const importLoans = async (
  { db, keys, config }: OnRecord & WithConfig,
  { csv, dryRun, by }: Importing,
): Promise<Imported> => {
  const file = await readFileApart('loans', csv)
  const names = [...new Set(file.lines.map(({ fields }) => fields.borrower))]
  const named = await borrowersNamed(db, names, by)
  const faults = await inPieces(file.lines, (line) =>
    loanFaults(config, line, named.get(line.fields.borrower)),
  )
  const terms = file.lines.flatMap(({ line, fields }, at) => {
    const borrowerId = named.get(fields.borrower)?.id
    const isFine = faults[at]?.length === 0
    return borrowerId === undefined || !isFine ? [] : { line, borrowerId, fields }
  })
  const problems = [...faults.flat(), ...(await findLoansTwice(db, terms))]
  if (dryRun || file.problems.length + problems.length > 0) return resultOf(file, problems, 0)
  const made = await inPieces(file.lines, (line) => {
    const borrower = named.get(line.fields.borrower)
    return borrower ? rowsOf(line, borrower, by) : []
  })
  const rows = made.flat()
  const late = await db.transaction().execute(async (transaction) => {
    const twice = await findLoansTwice(await locked(transaction), terms)
    if (twice.length > 0) return twice
    for (const some of chunks(rows.map(({ loan }) => loan)))
      await transaction.insertInto('loans').values(some).execute()
    for (const some of chunks(rows.flatMap(({ collateral }) => collateral ?? [])))
      await transaction.insertInto('loan_collateral').values(some).execute()
    await recordAll(
      transaction,
      { keys },
      rows.flatMap(({ entries }) => entries),
    )
    return []
  })
  return resultOf(file, late, late.length > 0 ? 0 : rows.length)
}

/**
 * Imports a file of a kind that moves no money. A bad line is named, and then nothing is written.
 */
export const importLoanFile = (
  context: OnRecord & WithConfig,
  kind: Exclude<LoanFileKind, 'repayments'>,
  importing: Importing,
): Promise<Imported> =>
  kind === 'borrowers' ? importBorrowers(context, importing) : importLoans(context, importing)
