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

/** `coins` is a CSV of each coin's movements. The others have dollars. */
export const poolStatementForms = ['json', 'csv', 'coins'] as const
export type PoolStatementForm = (typeof poolStatementForms)[number]

export const readPoolStatement = {
  method: 'GET',
  path: '/api/v1/admin/statements/{period}/{form}',
  access: 'staff',
  summary:
    'Every transfer of the ledger, or of coins, in a month or a year with running balances, signed, as an archive. docs/statements.md has its form',
  params: z.object({ period: periodSchema, form: z.enum(poolStatementForms) }),
  downloads: 'application/zip',
  body: z.unknown(),
} as const satisfies Endpoint
