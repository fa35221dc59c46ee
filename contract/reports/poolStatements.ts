/** The pool's statements, for staff (docs/product.md 5.39). docs/statements.md has their form. */
import { z } from 'zod'
import type { Endpoint } from '../base/endpoint.ts'
import { accountKinds, movementNames } from '../money/ledger.ts'
import { periodSchema, STATEMENT_VERSION } from './statements.ts'

const dollarsText = z.string().regex(/^-?\d+\.\d\d$/)
const moment = z.iso.datetime()

/** Each account of the ledger. Those of investors are added up. */
const accountsSchema = z.record(z.enum(accountKinds), dollarsText)

export const poolStatementLineSchema = z.strictObject({
  at: moment,
  /** Month and number of its event, the same for all lines of the event: `2026-11/17`. */
  posting: z.string().regex(/^\d{4}-\d\d\/\d+$/),
  /** The day on which it counts between the two sides. */
  valueDay: z.iso.date(),
  movement: z.enum(movementNames),
  /** The row that caused it. */
  referenceId: z.uuid(),
  /** Null for a movement of the pool alone. */
  investorId: z.uuid().nullable(),
  from: z.enum(accountKinds),
  to: z.enum(accountKinds),
  amount: dollarsText,
  /** Both accounts right after. */
  fromBalance: dollarsText,
  toBalance: dollarsText,
  network: z.string().nullable(),
  networkTransaction: z.string().nullable(),
  /** The coins that moved, known with a node alone. */
  asset: z.string().nullable(),
  coins: z.string().nullable(),
  loanId: z.uuid().nullable(),
  borrowerId: z.uuid().nullable(),
  /** Numbers of the instalments that a repayment paid, with spaces between. */
  instalments: z.string().nullable(),
  /** The text that a borrower's payment came with. */
  paymentReference: z.string().nullable(),
})
export type PoolStatementLine = z.infer<typeof poolStatementLineSchema>

export const poolStatementSchema = z.strictObject({
  form: z.literal('pool statement'),
  version: z.literal(STATEMENT_VERSION),
  of: z.literal('pool'),
  name: z.string(),
  currency: z.literal('USD'),
  period: z.strictObject({
    name: z.string(),
    from: moment,
    to: moment,
    isComplete: z.boolean(),
  }),
  opening: accountsSchema,
  lines: z.array(poolStatementLineSchema),
  closing: accountsSchema,
  /** Number and dollars of the transfers of each movement. */
  totals: z.array(
    z.strictObject({
      movement: z.enum(movementNames),
      count: z.number().int(),
      amount: dollarsText,
    }),
  ),
})
export type PoolStatement = z.infer<typeof poolStatementSchema>

/**
 * `coins` is a CSV of each coin's movements. The others have dollars: `accounts` is the chart of
 * accounts with its sums, and `hledger` a journal for the program of that name.
 */
export const poolStatementForms = ['json', 'csv', 'accounts', 'hledger', 'coins'] as const
export type PoolStatementForm = (typeof poolStatementForms)[number]

export const readPoolStatement = {
  method: 'GET',
  path: '/api/v1/admin/statements/{period}/{form}',
  access: 'staff',
  summary:
    'The books of a month or a year: every transfer of the ledger or of coins with running balances, a journal, or the chart of accounts, signed, as an archive. docs/statements.md has its forms',
  params: z.object({ period: periodSchema, form: z.enum(poolStatementForms) }),
  downloads: 'application/zip',
  body: z.unknown(),
} as const satisfies Endpoint
