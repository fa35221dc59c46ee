/**
 * The public figures of the loan book and of what the pool owes (docs/product.md 5.33). Amounts are
 * dollars, shares and rates basis points, durations seconds. docs/loans.md defines each figure.
 */
import { z } from 'zod'
import type { Endpoint } from '../base/endpoint.ts'
import { dollarsSchema } from '../base/money.ts'
import { daySchema, monthSchema, timestampSchema } from '../base/timestamp.ts'
import { signatureSchema } from '../reports/poolKeys.ts'
import { buckets } from './arrears.ts'

/** A loan that is late by days past due, or one in default. */
export const bookBuckets = [...buckets, 'recovery'] as const
export type BookBucket = (typeof bookBuckets)[number]

/**
 * The part of the outstanding that the pool expects to lose, in basis points. These are assumptions
 * and no measurement. A release that changes one says so in CHANGELOG.md.
 */
export const expectedLossShares: Readonly<Record<BookBucket, number>> = {
  current: 100,
  late1: 500,
  late31: 2_000,
  late61: 5_000,
  late91: 7_500,
  recovery: 7_500,
}

/** The counted part of contracted interest, in basis points: some borrowers pay early. */
export const COUNTED_INTEREST = 9_000

/** Days ahead of the liquidity figures. */
export const LIQUIDITY_DAYS = [7, 30, 90] as const
/** Months on book of a vintage. */
export const VINTAGE_MONTHS = [3, 6, 12, 18, 24] as const
/** The days over which payouts and collected instalments are counted. */
export const COUNTED_DAYS = 90
/** The days whose new interest is the pace of the runway. */
export const PACE_DAYS = 30
/** The longest runway in days: a hundred years. */
export const LONGEST_RUNWAY = 36_500
/** Days after its disbursement from which a loan may be followed: it has a story by then. */
export const FOLLOWED_AFTER = 60
/** A cell of fewer loans shows no rate. */
export const FEWEST_LOANS = 5

const share = z.number().int()
const count = z.number().int()

const bookSchema = z.object({
  outstanding: dollarsSchema,
  loans: count,
  borrowers: count,
  /** The yearly rate, weighted by what is outstanding. Null without loans. */
  rate: share.nullable(),
  /** Days until the last instalment, weighted in the same way. */
  termDays: count.nullable(),
  /** Shares of the 1, 5 and 10 borrowers that owe most. */
  largest: z.array(share).length(3),
  /** The share of related parties. */
  related: share,
  /** Loans that were ever disbursed. */
  everLent: count,
})

const arrearsSchema = z.object({
  /** Recovery holds the loans in default, the others the active ones. */
  buckets: z.array(
    z.object({
      bucket: z.enum(bookBuckets),
      loans: count,
      /** The whole outstanding of these loans. */
      outstanding: dollarsSchema,
      /** The part of it and of its interest that was due before today. */
      overdue: dollarsSchema,
    }),
  ),
  /** Outstanding of loans that are more than 30 days past due ÷ outstanding. */
  risk30: share.nullable(),
})

const monthFiguresSchema = z.object({
  month: monthSchema,
  /** Interest that matured and was paid to investors. */
  paid: dollarsSchema,
  /** Interest set aside for investments that were opened. */
  setAside: dollarsSchema,
  interest: dollarsSchema,
  /** The part of recoveries that stays in the pool, without the part that investors got back. */
  recoveries: dollarsSchema,
  /** The operator's capital put in. It is no income. */
  capital: dollarsSchema,
  /** The operator's capital and gain taken out, of a pool that winds down. */
  withdrawn: dollarsSchema,
  writtenOff: dollarsSchema,
})

const interestSchema = z.object({
  /** Interest of all investments that were ever opened, paid or set aside. */
  promised: dollarsSchema,
  /** The part of it that matured and was paid. */
  paid: dollarsSchema,
  /** The part of `promised` that borrowers' interest covers. The rest is operator's capital. */
  fromBorrowers: dollarsSchema,
  /** The interest promised in the last 30 days, or since a younger pool began. */
  pace: z.object({ days: count, promised: dollarsSchema }),
  /** Whole days that the free reserve lasts at this pace. Null without new interest. */
  runwayDays: count.nullable(),
  /** Borrowers' interest ÷ promised interest of 90 days, at most 1. Null without promises. */
  covered90: share.nullable(),
  /** The yearly rate of active investments without compounding, weighted by their principal. */
  planRate: share.nullable(),
  /** Every month since the first, oldest first, each with its own promises and income. */
  months: z.array(
    z.object({
      month: monthSchema,
      promised: dollarsSchema,
      /** Interest that borrowers paid, less what was reversed. */
      income: dollarsSchema,
      fromBorrowers: dollarsSchema,
    }),
  ),
})

/** Since the beginning. */
const lossesSchema = z.object({
  writtenOff: dollarsSchema,
  /** Principal that investors lost by shared losses. */
  borne: dollarsSchema,
  recovered: dollarsSchema,
  /** The part of what was recovered that went back to investors who bore a loss. */
  returned: dollarsSchema,
})

const reserveSchema = z.object({
  /** Free and committed together. */
  balance: dollarsSchema,
  committed: dollarsSchema,
  free: dollarsSchema,
  /** The operator's capital in loans or reserved for them, and investors' principal in loans. */
  deployed: dollarsSchema,
  lent: dollarsSchema,
  /** A loss of investors' principal that is not borne yet. */
  openLoss: dollarsSchema,
  expectedLoss: dollarsSchema,
  /** The free reserve ÷ the expected loss. Null where none is expected. */
  interestCoverage: share.nullable(),
  /** The free reserve and contracted interest ÷ the expected loss. */
  capitalCoverage: share.nullable(),
})

const liquiditySchema = z.object({
  /** The coins in dollars, as the ledger counts them. */
  coins: dollarsSchema,
  /** The part of them that people typed and no node showed. */
  typed: dollarsSchema,
  /** Owed to investors now: available, held and on the way. */
  owed: dollarsSchema,
  /** The same, with the principal at work and the interest set aside for it. */
  owedInAll: dollarsSchema,
  /** Coins by network, as the last reconciliation found them. Empty without one. */
  networks: z.array(z.object({ network: z.string(), asset: z.string(), units: z.string() })),
  days: z.array(
    z.object({
      days: count,
      /** Principal and interest of investments that mature by then. */
      promised: dollarsSchema,
      /** Instalments that are due from today until then. */
      due: dollarsSchema,
      /** The same at the collection rate. Null where nothing was due. */
      expected: dollarsSchema.nullable(),
    }),
  ),
  /** Paid ÷ due, of the instalments due in the last 90 days. Null without one. */
  collected: share.nullable(),
})

const payoutsSchema = z.object({
  /**
   * Seconds from request to completion. Unfinished ones count with their age. Null without any.
   * Rounded up: to minutes, from two hours on to hours, from two days on to days.
   */
  half: count.nullable(),
  most: count.nullable(),
  completed: count,
  open: count,
  /** The age of the oldest open request, rounded up in the same way. */
  oldest: count.nullable(),
  refused: count,
  returned: count,
  /** Approvals, marks and batches that took a withdrawal before older ones, in 90 days. */
  outOfOrder: count,
  /** Those of them for which staff gave no reason. */
  withoutReason: count,
})

const trustSchema = z.object({
  /** Null before the first, and without nodes. */
  reconciliation: z
    .object({ at: timestampSchema, isWhole: z.boolean(), breaks: dollarsSchema })
    .nullable(),
  /** The versions of plans that have begun, by days, the newest first. */
  plans: z.array(
    z.object({
      durationDays: count,
      rateBasisPoints: count,
      isOpen: z.boolean(),
      /** Null for a first version. */
      startsAt: timestampSchema.nullable(),
    }),
  ),
})

const yearSchema = z.object({
  year: count,
  /** True for loans that ran before the pool took them over, which are counted apart. */
  takenOver: z.boolean(),
  loans: count,
  disbursed: dollarsSchema,
  /** Loans that were ever more than 30 days past due. */
  late: count,
  defaults: count,
  /** Principal in default, at the moment of each default. */
  exposure: dollarsSchema,
})

const vintageSchema = z.object({
  year: count,
  quarter: count,
  /** As of a year. */
  takenOver: z.boolean(),
  loans: count,
  disbursed: dollarsSchema,
  /** Principal in default within so many months ÷ disbursed. Null where it is too early. */
  defaulted: z.array(share.nullable()).length(VINTAGE_MONTHS.length),
  writtenOff: dollarsSchema,
  recovered: dollarsSchema,
})

/** One loan, without a name. The landing page follows it. */
const followedSchema = z.object({
  disbursedOn: daySchema,
  principal: dollarsSchema,
  /** The yearly rate. */
  rate: count,
  instalments: count,
  /** Those of which nothing is owed. */
  paid: count,
  /** Interest that came in. */
  interest: dollarsSchema,
  /** Days past due of an active loan. */
  late: count,
  state: z.enum(['ACTIVE', 'REPAID', 'DEFAULTED', 'WRITTEN_OFF']),
})

export const poolBookSchema = z.object({
  /** The moment of all of these figures, which are one snapshot. */
  at: timestampSchema,
  book: bookSchema,
  arrears: arrearsSchema,
  years: z.array(yearSchema),
  vintages: z.array(vintageSchema),
  month: monthFiguresSchema,
  interest: interestSchema,
  losses: lossesSchema,
  reserve: reserveSchema,
  liquidity: liquiditySchema,
  payouts: payoutsSchema,
  trust: trustSchema,
  /** The newest loan that was paid out long enough ago, else the oldest. Null before the first. */
  followed: followedSchema.nullable(),
})
export type PoolBook = z.infer<typeof poolBookSchema>

export const poolBook = {
  method: 'GET',
  path: '/api/v1/public/pool/book',
  access: 'public',
  summary:
    'The loan book and what the pool owes, counted in one moment: outstanding, arrears, defaults, income, interest and who paid it, losses, reserve, liquidity, payouts. Null before the first count',
  maxAgeSeconds: 10,
  body: poolBookSchema.nullable(),
} as const satisfies Endpoint

const tapeSchema = z.object({
  day: daySchema,
  loans: count,
  /** Bytes of the file. */
  size: count,
  /** SHA-256 of the file, in hex. */
  digest: z.string(),
  name: z.string(),
  /** Null of files from before they were signed. */
  signed: signatureSchema.nullable(),
})
export type Tape = z.infer<typeof tapeSchema>

/** Most files in the list. */
export const TAPES_SIZE = 400

export const listTapes = {
  method: 'GET',
  path: '/api/v1/public/pool/tapes',
  access: 'public',
  summary: `The files of loans that were made, the newest ${TAPES_SIZE}, each with its SHA-256`,
  maxAgeSeconds: 10,
  body: z.array(tapeSchema),
} as const satisfies Endpoint

export const readTape = {
  method: 'GET',
  path: '/api/v1/public/pool/tapes/{day}',
  access: 'public',
  summary: 'The file of all loans on a day, as CSV without personal data',
  downloads: 'text/csv; charset=utf-8',
  maxAgeSeconds: 3_600,
  params: z.object({ day: z.iso.date() }),
  body: z.unknown(),
} as const satisfies Endpoint
