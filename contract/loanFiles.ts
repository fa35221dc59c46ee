/** CSV files of the loan book, to import and to export (docs/product.md 5.29). */
import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import { validation } from './messages.ts'

/** The columns of each file, in any order. */
export const loanFileColumns = {
  borrowers: ['name', 'country', 'kind', 'relation', 'user_email', 'grade', 'grade_reason'],
  loans: [
    'borrower',
    'purpose',
    'amount',
    'rate_basis_points',
    'schedule',
    'period',
    'day_count',
    'instalments',
    'due_day',
    'disburse_on',
    'first_due_on',
  ],
  repayments: ['loan_id', 'amount', 'value_on', 'reference'],
} as const
export type LoanFileKind = keyof typeof loanFileColumns
const kinds = Object.keys(loanFileColumns) as [LoanFileKind, ...LoanFileKind[]]

/** Most lines of a file, without its heading. */
export const FILE_LINES = 10_000

const params = z.object({ kind: z.enum(kinds) })

export const importLoanFile = {
  method: 'POST',
  path: '/api/v1/admin/loan-files/{kind}',
  access: 'staff',
  stepUp: true,
  summary: `Import borrowers, applications for loans or repayments as CSV, up to ${FILE_LINES} lines. Writes nothing if a line is bad, or with \`dryRun\`; every bad line is named`,
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
    problems: z.array(
      z.object({
        /** The first line of the file is 1. */
        line: z.number().int(),
        problem: z.string(),
      }),
    ),
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
