/** Statements of a month or a year (docs/product.md 5.39). docs/statements.md has their form. */
import { z } from 'zod'
import type { Endpoint } from '../base/endpoint.ts'
import { movementNames } from '../money/ledger.ts'
import { signatureSchema } from './poolKeys.ts'

/** The number of the form. Another form gets the next one. */
export const STATEMENT_VERSION = 1

/** Parts of what the pool owes an investor. `debt` is what the investor owes, and counts below. */
export const statementParts = [
  'available',
  'held',
  'onTheWay',
  'invested',
  'promised',
  'debt',
] as const
export type StatementPart = (typeof statementParts)[number]

/** Balances in the order of each form. `promised` is not earned yet, so `total` leaves it out. */
export const statementBalances = [
  'available',
  'held',
  'onTheWay',
  'invested',
  'debt',
  'total',
  'promised',
] as const satisfies readonly (StatementPart | 'total')[]

/** Dollars as a text with two decimals, which no reader rounds. */
const dollarsText = z.string().regex(/^-?\d+\.\d\d$/)
const moment = z.iso.datetime()

const balancesSchema = z.strictObject({
  available: dollarsText,
  held: dollarsText,
  onTheWay: dollarsText,
  invested: dollarsText,
  debt: dollarsText,
  /** The parts above, less the debt. Promised interest is earned at the maturity alone. */
  total: dollarsText,
  promised: dollarsText,
})

/** The sums of a period, in dollars. */
export const statementSums = [
  'deposited',
  'withdrawn',
  'interestEarned',
  'fees',
  'lossesBorne',
  'lossesReturned',
  'depositsReversed',
  'debtCollected',
  'debtWrittenOff',
] as const
export type StatementSum = (typeof statementSums)[number]

const sumsSchema = z.strictObject({
  deposited: dollarsText,
  withdrawn: dollarsText,
  interestEarned: dollarsText,
  fees: dollarsText,
  lossesBorne: dollarsText,
  lossesReturned: dollarsText,
  depositsReversed: dollarsText,
  debtCollected: dollarsText,
  debtWrittenOff: dollarsText,
})

export const statementLineSchema = z.strictObject({
  at: moment,
  movement: z.enum(movementNames),
  transactionId: z.uuid(),
  investmentId: z.uuid().nullable(),
  amount: dollarsText,
  /** Paid by a maturity. An opening changes `promised`. */
  interest: dollarsText,
  /** The change of each part by this movement, and each part right after it. */
  changes: balancesSchema,
  balances: balancesSchema,
  /** The payment on a chain. The output is missing where the network has none. */
  evidence: z
    .strictObject({
      network: z.string(),
      transaction: z.string(),
      output: z.number().int().nullable(),
    })
    .nullable(),
  /** The coins that moved, and the dollars of one coin at the time. Known with a node alone. */
  coins: z
    .strictObject({
      asset: z.string(),
      amount: z.string().regex(/^\d+(\.\d+)?$/),
      /** Null where no rate counted then. */
      dollarsEach: z.string().nullable(),
      rateAt: moment.nullable(),
    })
    .nullable(),
  address: z.string().nullable(),
})
export type StatementLine = z.infer<typeof statementLineSchema>

const headSchema = {
  form: z.literal('pool statement'),
  version: z.literal(STATEMENT_VERSION),
  of: z.literal('investor'),
  name: z.string(),
  investor: z.strictObject({ id: z.uuid(), name: z.string() }),
  currency: z.literal('USD'),
  /** From the first moment to the last, without it, in UTC. */
  period: z.strictObject({
    name: z.string(),
    from: moment,
    to: moment,
    /** False while the period goes on. Then `to` is the moment of the making. */
    isComplete: z.boolean(),
  }),
  opening: balancesSchema,
}

export const statementSchema = z.strictObject({
  ...headSchema,
  lines: z.array(statementLineSchema),
  closing: balancesSchema,
  totals: z.strictObject({
    sums: sumsSchema,
    /** Each kind that occurred, in the order of its first line. */
    byMovement: z.array(
      z.strictObject({
        movement: z.enum(movementNames),
        count: z.number().int(),
        amount: dollarsText,
        interest: dollarsText,
        /** By how much this kind changed the promised interest. */
        promised: dollarsText,
      }),
    ),
    /** The sums of each month that has lines. */
    byMonth: z.array(z.strictObject({ month: z.string(), sums: sumsSchema })),
  }),
})
export type Statement = z.infer<typeof statementSchema>
export type StatementHead = Pick<Statement, keyof typeof headSchema>
export type StatementEnd = Omit<Statement, keyof typeof headSchema | 'lines'>

/** The forms of a file. PDF is for people, the last three for programs of these names. */
export const statementForms = [
  'pdf',
  'json',
  'csv',
  // A program reads its own language alone: the signs of numbers and all words differ.
  'portfolio-performance-en',
  'portfolio-performance-de',
  'ghostfolio',
] as const
export type StatementForm = (typeof statementForms)[number]

/** `signature.json`, which lies beside a signed file in its archive. */
export const signatureFileSchema = z.strictObject({
  version: z.literal(1),
  name: z.string(),
  /** SHA-256 of the file, in hex. */
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  ...signatureSchema.shape,
})
export type SignatureFile = z.infer<typeof signatureFileSchema>

/** The name of it in the archive. */
export const SIGNATURE_FILE = 'signature.json'

/** A month, `YYYY-MM`, or a year, `YYYY`, in UTC. */
export const periodSchema = z.string().regex(/^20\d\d(-(0[1-9]|1[0-2]))?$/)

export const listStatements = {
  method: 'GET',
  path: '/api/v1/statements',
  access: 'user',
  forReadingKeys: true,
  summary: "The months and years of the caller's statements, of staff the pool's, the newest first",
  body: z.array(
    z.object({
      period: periodSchema,
      /** False while it goes on. */
      isComplete: z.boolean(),
    }),
  ),
} as const satisfies Endpoint

/** The sums of a statement, before its file is made. It names no user: everybody gets their own. */
export const previewStatement = {
  method: 'GET',
  path: '/api/v1/statements/{period}/preview',
  access: 'user',
  summary: "The balances and sums of the caller's statement, and the number of its lines",
  params: z.object({ period: periodSchema }),
  body: z.object({
    opening: balancesSchema,
    sums: sumsSchema,
    closing: balancesSchema,
    lines: z.number().int(),
  }),
} as const satisfies Endpoint
export type StatementPreview = z.infer<typeof previewStatement.body>

/** It names no user: everybody gets their own. */
export const readStatement = {
  method: 'GET',
  path: '/api/v1/statements/{period}/{form}',
  access: 'user',
  forReadingKeys: true,
  summary:
    "A statement of the caller's money in a month or a year, with its signature, as an archive. docs/statements.md has its form",
  params: z.object({ period: periodSchema, form: z.enum(statementForms) }),
  downloads: 'application/zip',
  body: z.unknown(),
} as const satisfies Endpoint
