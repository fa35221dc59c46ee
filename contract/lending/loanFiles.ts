/** CSV files of the loan book, to import and to export (docs/product.md 5.29). */
import { z } from 'zod'
import { type Endpoint, idSchema } from '../base/endpoint.ts'
import * as validation from '../base/validation.ts'

/** The columns of each file, in any order. */
export const loanFileColumns = {
  borrowers: ['name', 'country', 'kind', 'relation', 'user_email', 'grade', 'grade_reason'],
  loans: [
    'borrower',
    'purpose',
    'amount',
    'from_investors',
    'rate_basis_points',
    'schedule',
    'period',
    'day_count',
    'instalments',
    'due_day',
    'disburse_on',
    'first_due_on',
    'collateral',
    'collateral_value',
    'collateral_valued_on',
    'taken_over_on',
  ],
  repayments: ['loan_id', 'amount', 'value_on', 'reference'],
} as const
export type LoanFileKind = keyof typeof loanFileColumns
const kinds = Object.keys(loanFileColumns) as [LoanFileKind, ...LoanFileKind[]]

/** Columns that a file may lack, and whose cells may be empty. */
export const optionalColumns: readonly string[] = [
  'user_email',
  'from_investors',
  'collateral',
  'collateral_value',
  'collateral_valued_on',
  'taken_over_on',
]

/** Most lines of a file, without its heading. */
export const FILE_LINES = 10_000
/** Bad lines that are named. A file with more is not read to its end. */
export const FILE_PROBLEMS = 500

type ProblemFacts = Readonly<Record<string, string | number>>

/** Problems of a file apart from the refusals of its lines, each in English. */
export const fileProblems = {
  columnsMissing: ({ names }: ProblemFacts) => `The first line does not name ${names}.`,
  columnsUnknown: ({ names }: ProblemFacts) => `Unknown columns: ${names}.`,
  columnTwice: () => 'A column is named twice.',
  tooManyLines: ({ most }: ProblemFacts) => `A file has at most ${most} lines.`,
  cellsDiffer: ({ cells, columns }: ProblemFacts) => `It has ${cells} cells, not ${columns}.`,
  quoteOpen: () => 'A quote opens here and does not end before its cell does.',
  signLost: () => 'A sign of this line was lost. Please save the file as UTF-8.',
  borrowerTwice: () =>
    'A borrower with this name, country, kind and account is on record, or in a line above.',
  loanTwice: () => 'A loan of this borrower with the same terms is on record, or in a line above.',
  moreProblems: () => 'More lines may have errors. Please fix those above first.',
  tooMuchWork: () => 'This file takes too long to read. Please divide it.',
  badValue: () => 'This value is not understood.',
  severalNames: () => 'Several borrowers have this name. Please write the ID.',
  collateralPartly: () => 'Collateral has a text, a value and the day of that value, or none.',
} as const
export type FileProblem = keyof typeof fileProblems

const params = z.object({ kind: z.enum(kinds) })

export const lineProblemSchema = z.object({
  /** The first line of the file is 1. */
  line: z.number().int(),
  /** The column at fault. Null for a problem of the whole line. */
  column: z.string().nullable(),
  /** A word of `fileProblems`, or the code of a refusal. */
  code: z.string(),
  /** The facts of its sentence. */
  details: z.record(z.string(), z.union([z.string(), z.number()])),
  /** The sentence in English. */
  problem: z.string(),
})
export type LineProblem = z.infer<typeof lineProblemSchema>

export const importLoanFile = {
  method: 'POST',
  path: '/api/v1/admin/loan-files/{kind}',
  access: 'staff',
  stepUp: true,
  summary: `Import borrowers, applications for loans or repayments as CSV, up to ${FILE_LINES} lines. Writes nothing if a line is bad, or with \`dryRun\`; up to ${FILE_PROBLEMS} bad lines are named with a code and its facts. A borrower or a loan that is on record with the same facts is a bad line`,
  params,
  payload: z.object({
    csv: z.string({ error: () => validation.fillAllFields }),
    dryRun: z.boolean({ error: () => validation.fillAllFields }),
  }),
  body: z.object({
    lines: z.number().int(),
    recorded: z.number().int(),
    /** Repayments that the same file recorded before. */
    skipped: z.number().int(),
    problems: z.array(lineProblemSchema),
    /** True for repayments that one person may not record alone. */
    takesTwo: z.boolean(),
    /** The proposal that a second person approves, with the file. Null without one. */
    proposalId: idSchema.nullable(),
  }),
} as const satisfies Endpoint

export const exportLoanFile = {
  method: 'GET',
  path: '/api/v1/admin/loan-files/{kind}',
  access: 'staff',
  summary: 'Export all borrowers, loans or repayments as CSV',
  params,
  body: z.object({ csv: z.string() }),
} as const satisfies Endpoint
