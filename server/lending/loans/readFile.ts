/** Lines of an imported file, each with the fields of its call or what is wrong with it. */

import { type CsvRecord, readCsv } from '@pool/contract/base/readCsv'
import * as validation from '@pool/contract/base/validation'
import { recordBorrower } from '@pool/contract/lending/borrowers'
import {
  FILE_LINES,
  FILE_PROBLEMS,
  type LineProblem,
  type LoanFileKind,
  loanFileColumns,
  optionalColumns,
} from '@pool/contract/lending/loanFiles'
import { collateralShape } from '@pool/contract/lending/loanRecords'
import { recordLoan, repayLoan } from '@pool/contract/lending/loans'
import { z } from 'zod'
import { badField, fileProblem } from './problems.ts'

export type Problem = LineProblem

/** A line that its call would take. */
export type Line<Fields> = { readonly line: number; readonly fields: Fields }

export type FileLines<Fields> = {
  readonly lines: readonly Line<Fields>[]
  readonly problems: readonly Problem[]
  readonly total: number
}

const plainNumber = (text: string): unknown =>
  /^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text

/** Columns of numbers. Anything but digits and a point stays text, which the call refuses. */
const NUMBERS: readonly string[] = [
  'amount',
  'from_investors',
  'rate_basis_points',
  'instalments',
  'due_day',
  'collateral_value',
]

const camel = (name: string): string =>
  name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
const snake = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const fieldsOf = (names: readonly string[], cells: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    names.flatMap((name, index) => {
      const text = cells[index]?.trim() ?? ''
      if (text === '' && optionalColumns.includes(name)) return []
      const value = NUMBERS.includes(name) ? plainNumber(text) : text
      // A loan of capital alone may say so with a zero.
      return name === 'from_investors' && value === 0 ? [] : [[camel(name), value]]
    }),
  )

const loanLine = z.object({
  ...recordLoan.payload.shape,
  borrowerId: z.string(),
  borrower: z.string().min(1, validation.fillAllFields),
  collateral: collateralShape.description.optional(),
  collateralValue: collateralShape.value.optional(),
  collateralValuedOn: collateralShape.valuedOn.optional(),
})
const repaymentLine = z.object({
  ...repayLoan.payload.shape,
  loanId: z.uuid({ error: () => validation.idInvalid }),
})

/** The schema of a line of each kind. Loans name their borrower by id or by name. */
export const lineSchemas = {
  borrowers: recordBorrower.payload,
  loans: loanLine.omit({ borrowerId: true, refinancesId: true }),
  repayments: repaymentLine.omit({ inFull: true }),
} as const satisfies Readonly<Record<LoanFileKind, z.ZodType>>

export type LineFields<Kind extends LoanFileKind> = z.output<(typeof lineSchemas)[Kind]>

/** A file that cannot be read, for one reason. */
export const unreadFile = (...problem: Parameters<typeof fileProblem>): FileLines<never> => ({
  lines: [],
  problems: [fileProblem(...problem)],
  total: 0,
})

/** Cells without the empty ones that a spreadsheet adds behind the last column. */
const withoutEmptyEnd = (cells: readonly string[], columns: number): readonly string[] => {
  let count = cells.length
  while (count > columns && cells[count - 1]?.trim() === '') count -= 1
  return cells.slice(0, count)
}

/** A sign that was no UTF-8 becomes this one. */
const LOST = '\u{fffd}'

const readLine = <Kind extends LoanFileKind>(
  kind: Kind,
  names: readonly string[],
  { line, cells: all, openQuote }: CsvRecord,
): LineFields<Kind> | readonly Problem[] => {
  if (openQuote !== null) return [fileProblem(openQuote, 'quoteOpen')]
  const cells = withoutEmptyEnd(all, names.length)
  if (cells.length !== names.length)
    return [fileProblem(line, 'cellsDiffer', { cells: cells.length, columns: names.length })]
  if (cells.some((cell) => cell.includes(LOST))) return [fileProblem(line, 'signLost')]
  const read = lineSchemas[kind].safeParse(fieldsOf(names, cells))
  if (read.success) return read.data as LineFields<Kind>
  return read.error.issues.map((issue) => badField(line, issue, snake(issue.path.join('.'))))
}

/** Reads a file by the columns that its first line names. Runs in a thread. */
export const readLoanFile = <Kind extends LoanFileKind>(
  kind: Kind,
  csv: string,
): FileLines<LineFields<Kind>> => {
  const [heading, ...records] = readCsv(csv, FILE_LINES + 2)
  if (heading?.openQuote) return unreadFile(heading.openQuote, 'quoteOpen')
  const names = withoutEmptyEnd(heading?.cells.map((name) => name.trim().toLowerCase()) ?? [], 0)
  const columns: readonly string[] = loanFileColumns[kind]
  const missing = columns.filter((name) => !optionalColumns.includes(name) && !names.includes(name))
  if (missing.length > 0) return unreadFile(1, 'columnsMissing', { names: missing.join(', ') })
  const unknown = names.filter((name) => !columns.includes(name))
  if (unknown.length > 0) return unreadFile(1, 'columnsUnknown', { names: unknown.join(', ') })
  if (new Set(names).size < names.length) return unreadFile(1, 'columnTwice')
  if (records.length > FILE_LINES) return unreadFile(1, 'tooManyLines', { most: FILE_LINES })
  const lines: Line<LineFields<Kind>>[] = []
  const problems: Problem[] = []
  for (const record of records) {
    if (problems.length > FILE_PROBLEMS) break
    const read = readLine(kind, names, record)
    if (Array.isArray(read)) problems.push(...(read as readonly Problem[]))
    else lines.push({ line: record.line, fields: read as LineFields<Kind> })
  }
  return { lines, problems, total: records.length }
}
