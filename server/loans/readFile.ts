/** Lines of an imported file, each with the fields of its call or what is wrong with it. */
import { recordBorrower } from '@pool/contract/borrowers'
import { readCsv } from '@pool/contract/csv'
import {
  FILE_LINES,
  type LineProblem,
  type LoanFileKind,
  loanFileColumns,
  optionalColumns,
} from '@pool/contract/loanFiles'
import { collateralShape } from '@pool/contract/loanRecords'
import { recordLoan, repayLoan } from '@pool/contract/loans'
import { validation } from '@pool/contract/messages'
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

const whole = <Fields>(...problem: Parameters<typeof fileProblem>): FileLines<Fields> => ({
  lines: [],
  problems: [fileProblem(...problem)],
  total: 0,
})

/** Reads a file by the columns that its first line names. */
export const readLoanFile = <Kind extends LoanFileKind>(
  kind: Kind,
  csv: string,
): FileLines<z.output<(typeof lineSchemas)[Kind]>> => {
  const [heading, ...records] = readCsv(csv)
  const names = heading?.cells.map((name) => name.trim().toLowerCase()) ?? []
  const columns: readonly string[] = loanFileColumns[kind]
  const missing = columns.filter((name) => !optionalColumns.includes(name) && !names.includes(name))
  if (missing.length > 0) return whole(1, 'columnsMissing', { names: missing.join(', ') })
  const unknown = names.filter((name) => !columns.includes(name))
  if (unknown.length > 0) return whole(1, 'columnsUnknown', { names: unknown.join(', ') })
  if (new Set(names).size < names.length) return whole(1, 'columnTwice')
  if (records.length > FILE_LINES) return whole(1, 'tooManyLines', { most: FILE_LINES })
  const lines: Line<z.output<(typeof lineSchemas)[Kind]>>[] = []
  const problems: Problem[] = []
  for (const { line, cells } of records) {
    const read = lineSchemas[kind].safeParse(fieldsOf(names, cells))
    if (cells.length !== names.length)
      problems.push(
        fileProblem(line, 'cellsDiffer', { cells: cells.length, columns: names.length }),
      )
    else if (read.success)
      lines.push({ line, fields: read.data as z.output<(typeof lineSchemas)[Kind]> })
    else
      problems.push(
        ...read.error.issues.map((issue) => badField(line, issue, snake(issue.path.join('.')))),
      )
  }
  return { lines, problems, total: records.length }
}
