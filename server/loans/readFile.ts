/** Lines of an imported file, each with the fields of its call or what is wrong with it. */
import { recordBorrower } from '@pool/contract/borrowers'
import { readCsv } from '@pool/contract/csv'
import { FILE_LINES, type LoanFileKind, loanFileColumns } from '@pool/contract/loanFiles'
import { recordLoan, repayLoan } from '@pool/contract/loans'
import { z } from 'zod'

export type Problem = { readonly line: number; readonly problem: string }

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
const NUMBERS: readonly string[] = ['amount', 'rate_basis_points', 'instalments', 'due_day']

const camel = (name: string): string =>
  name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())

const fieldsOf = (names: readonly string[], cells: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    names.flatMap((name, index) => {
      const text = cells[index]?.trim() ?? ''
      if (text === '' && name === 'user_email') return []
      return [[camel(name), NUMBERS.includes(name) ? plainNumber(text) : text]]
    }),
  )

const loanLine = z.object({
  ...recordLoan.payload.shape,
  borrowerId: z.string(),
  borrower: z.string().min(1),
})
const repaymentLine = z.object({ ...repayLoan.payload.shape, loanId: z.uuid() })

/** The schema of a line of each kind. Loans name their borrower by id or by name. */
export const lineSchemas = {
  borrowers: recordBorrower.payload,
  loans: loanLine.omit({ borrowerId: true, refinancesId: true }),
  repayments: repaymentLine.omit({ inFull: true }),
} as const satisfies Readonly<Record<LoanFileKind, z.ZodType>>

const whole = <Fields>(problem: string): FileLines<Fields> => ({
  lines: [],
  problems: [{ line: 1, problem }],
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
  const missing = columns.filter((name) => name !== 'user_email' && !names.includes(name))
  if (missing.length > 0) return whole(`The first line does not name ${missing.join(', ')}.`)
  const unknown = names.filter((name) => !columns.includes(name))
  if (unknown.length > 0) return whole(`Unknown columns: ${unknown.join(', ')}.`)
  if (new Set(names).size < names.length) return whole('A column is named twice.')
  if (records.length > FILE_LINES) return whole(`A file has at most ${FILE_LINES} lines.`)
  const lines: Line<z.output<(typeof lineSchemas)[Kind]>>[] = []
  const problems: Problem[] = []
  for (const { line, cells } of records) {
    const read = lineSchemas[kind].safeParse(fieldsOf(names, cells))
    if (cells.length !== names.length)
      problems.push({ line, problem: `It has ${cells.length} cells, not ${names.length}.` })
    else if (read.success)
      lines.push({ line, fields: read.data as z.output<(typeof lineSchemas)[Kind]> })
    else
      problems.push({
        line,
        problem: read.error.issues
          .map(({ path, message }) => `${path.join('.')}: ${message}`)
          .join('; '),
      })
  }
  return { lines, problems, total: records.length }
}
