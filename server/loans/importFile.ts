/** Imports a file of the loan book, whole or not at all (docs/product.md 5.29). */
import type { LoanFileKind } from '@pool/contract/loanFiles'
import { termsFrom } from '@pool/contract/loanTerms'
import { centsFromDollars } from '@pool/contract/money'
import { refusal } from '@pool/contract/refusals'
import { type Kysely, sql } from 'kysely'
import type { Entry } from '../audit/entry.ts'
import { record } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { newId } from '../db/ids.ts'
import type { Schema } from '../db/schema.ts'
import type { Caller } from '../sessions/actor.ts'
import { importRepayments } from './importRepayments.ts'
import { type FileLines, type Problem, readLoanFile } from './readFile.ts'

type Importing = { readonly csv: string; readonly dryRun: boolean; readonly by: Caller }

export type Imported = {
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
  ...{ lines: total, recorded, skipped },
  problems: [...problems, ...more].sort((a, b) => a.line - b.line),
})

/** Records acts of one caller, whose session is asked for once. */
const recordAll = async (
  transaction: Kysely<Schema>,
  { keys }: Pick<Context, 'keys'>,
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
  { db, keys }: Pick<Context, 'db' | 'keys'>,
  { csv, dryRun, by }: Importing,
): Promise<Imported> => {
  const file = readLoanFile('borrowers', csv)
  const emails = file.lines.flatMap(({ fields }) => fields.userEmail ?? [])
  const users = await db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('username', '=', sql<string>`ANY (${emails}::text[])`)
    .execute()
  const byEmail = new Map(users.map(({ id, username }) => [username, id]))
  const problems: Problem[] = file.lines.flatMap(({ line, fields: { userEmail, relation } }) => {
    if (userEmail !== undefined && !byEmail.has(userEmail))
      return { line, problem: refusal('userNotFound').message }
    return relation === 'staff' && userEmail === undefined
      ? { line, problem: refusal('relatedUnnamed').message }
      : []
  })
  if (dryRun || file.problems.length + problems.length > 0) return resultOf(file, problems, 0)
  const rows = file.lines.map(({ fields }) => ({ id: newId(), ...fields }))
  await db.transaction().execute(async (transaction) => {
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
  })
  return resultOf(file, problems, rows.length)
}

/** Borrowers that lines name by id or by name. A name of several is none. */
const borrowersNamed = async (db: Kysely<Schema>, names: readonly string[]) => {
  const { rows } = await sql<{ id: string; name: string; named: string; found: number }>`
    SELECT (min(b.id::text)) AS id, min(b.name) AS name, given AS named, count(*)::int AS found
    FROM unnest(${names}::text[]) AS given JOIN borrowers AS b ON b.id::text = given OR b.name = given GROUP BY given`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.named, row]))
}

const dateOf = (text: string) => sql<Date>`${text}::date`

const importLoans = async (
  { db, keys }: Pick<Context, 'db' | 'keys'>,
  { csv, dryRun, by }: Importing,
): Promise<Imported> => {
  const file = readLoanFile('loans', csv)
  const named = await borrowersNamed(db, [
    ...new Set(file.lines.map(({ fields }) => fields.borrower)),
  ])
  const problems: Problem[] = file.lines.flatMap(({ line, fields }) => {
    const borrower = named.get(fields.borrower)
    if (!borrower) return { line, problem: refusal('borrowerNotFound').message }
    if (borrower.found > 1)
      return { line, problem: 'Several borrowers have this name. Please write the id.' }
    const terms = termsFrom(fields)
    return typeof terms === 'string'
      ? { line, problem: refusal('badTerms', { problem: terms }).message }
      : []
  })
  if (dryRun || file.problems.length + problems.length > 0) return resultOf(file, problems, 0)
  const rows = file.lines.map(({ fields: { borrower, ...typed } }) => ({
    ...{ id: newId(), typed, borrower: named.get(borrower)?.name ?? '' },
    borrowerId: named.get(borrower)?.id ?? '',
  }))
  await db.transaction().execute(async (transaction) => {
    for (const some of chunks(rows))
      await transaction
        .insertInto('loans')
        .values(
          some.map(({ id, borrowerId, typed }) => ({
            ...{ id, borrower_id: borrowerId, purpose: typed.purpose },
            ...{ principal: centsFromDollars(typed.amount), schedule: typed.schedule },
            ...{ rate_basis_points: typed.rateBasisPoints, period: typed.period },
            ...{ day_count: typed.dayCount, instalments: typed.instalments },
            ...{ due_day: typed.dueDay, disburse_on: dateOf(typed.disburseOn) },
            ...{ first_due_on: dateOf(typed.firstDueOn), recorded_by: by.id },
          })),
        )
        .execute()
    await recordAll(
      transaction,
      { keys },
      rows.map(({ id, borrower, borrowerId, typed }) => ({
        by,
        action: 'loan.recorded',
        subject: { type: 'loan', id },
        after: { borrowerId, borrower, ...typed },
      })),
    )
  })
  return resultOf(file, problems, rows.length)
}

/**
 * Imports a file of a kind. A bad line is named, and then nothing is written. Repayments are judged
 * by the rules of the ledger, in the order of the file.
 */
export const importLoanFile = (
  context: Pick<Context, 'db' | 'keys' | 'ledger'>,
  kind: LoanFileKind,
  importing: Importing,
): Promise<Imported> => {
  if (kind === 'borrowers') return importBorrowers(context, importing)
  return kind === 'loans' ? importLoans(context, importing) : importRepayments(context, importing)
}
