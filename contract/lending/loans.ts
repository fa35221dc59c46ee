/** Loans: recorded, approved by two, disbursed, repaid (docs/product.md 5.26). */
import { z } from 'zod'
import { type Endpoint, idSchema } from '../base/endpoint.ts'
import { amountSchema, filledSchema, textSchema } from '../base/fields.ts'
import { listQuery, mayLag } from '../base/lists.ts'
import { dollarsSchema } from '../base/money.ts'
import { timestampSchema } from '../base/timestamp.ts'
import * as validation from '../base/validation.ts'
import { buckets } from './arrears.ts'
import { relations } from './borrowers.ts'
import { dayCounts, loanPeriods } from './loanDays.ts'
import { collateralSchema, documentSchema, SILENT_DAYS, updateSchema } from './loanRecords.ts'
import { dateSchema, termsShape } from './loanTerms.ts'
import { scheduleKinds } from './schedules.ts'

export const loanStatuses = [
  'APPLIED',
  'APPROVED',
  'SENDING',
  'ACTIVE',
  'DEFAULTED',
  'WRITTEN_OFF',
  'REPAID',
  'WITHDRAWN',
  'DECLINED',
] as const
export type LoanStatus = (typeof loanStatuses)[number]

export const loanPurposes = [
  'business',
  'workingCapital',
  'vehicle',
  'home',
  'education',
  'refinancing',
  'other',
] as const

/** The ends of an application that is not disbursed: by its borrower, or by the pool. */
export const closedStatuses = ['WITHDRAWN', 'DECLINED'] as const satisfies LoanStatus[]

/** Reasons of a default: more than 90 days past due, or a finding of two people. */
export const defaultReasons = ['daysPastDue', 'unlikelyToPay'] as const
export type DefaultReason = (typeof defaultReasons)[number]

export const loanSchema = z.object({
  id: idSchema,
  borrowerId: idSchema,
  borrower: z.string(),
  /** The borrower's own account. Its owner takes no step of the loan. */
  borrowerUserId: idSchema.nullable(),
  /** That account, and those that count as the same person now. None without one. */
  borrowerAccounts: z.array(idSchema),
  relation: z.enum(relations),
  purpose: z.enum(loanPurposes),
  amount: dollarsSchema,
  /** The part of it that investors' principal funds. The rest is the operator's capital. */
  fromInvestors: dollarsSchema,
  rateBasisPoints: z.number().int(),
  schedule: z.enum(scheduleKinds),
  period: z.enum(loanPeriods),
  dayCount: z.enum(dayCounts),
  instalments: z.number().int(),
  dueDay: z.number().int(),
  /** The day of the disbursement, the planned one before. ISO text, as all days of loans. */
  disburseOn: z.string(),
  firstDueOn: z.string(),
  /** The day on which the pool took over a loan that ran already. Null for its own loans. */
  takenOverOn: z.string().nullable(),
  status: z.enum(loanStatuses),
  /** The payment that a batch is to make. Null unless its money is reserved. */
  sending: z
    .object({
      networkName: z.string(),
      address: z.string(),
      /** The batch that has it, or null while none has. */
      batchId: idSchema.nullable(),
    })
    .nullable(),
  /** Principal that is neither repaid nor written off. */
  outstanding: dollarsSchema,
  writtenOff: dollarsSchema,
  /** Came back of what was written off. */
  recovered: dollarsSchema,
  /** The loan of the same borrower that this one refinances. */
  refinancesId: idSchema.nullable(),
  /** Stays when the loan is repaid. */
  defaultedOn: z.string().nullable(),
  daysPastDue: z.number().int(),
  bucket: z.enum(buckets),
  /** Due before today and not paid. */
  overdue: dollarsSchema,
  /** The next instalment that is not wholly paid, with what of it is unpaid. */
  nextDueOn: z.string().nullable(),
  nextDue: dollarsSchema,
  /** The newest update of staff. Null without one. */
  lastUpdateAt: timestampSchema.nullable(),
  /** Late and without an update for 14 days. */
  isSilent: z.boolean(),
  recordedAt: timestampSchema,
})
export type Loan = z.infer<typeof loanSchema>

/** The events of a loan, in order. */
export const loanEvents = [
  'recorded',
  'approved',
  'reserved',
  'released',
  'disbursed',
  'repaid',
  'reversed',
  'defaulted',
  'writtenOff',
  'recovered',
  'restructured',
  'withdrawn',
  'declined',
  'collateralAdded',
  'documentAdded',
  'updated',
] as const

const scheduleLineSchema = z.object({
  number: z.number().int(),
  dueOn: z.string(),
  principal: dollarsSchema,
  interest: dollarsSchema,
  balance: dollarsSchema,
  paid: dollarsSchema,
  /** The part of `paid` that is interest. */
  interestPaid: dollarsSchema,
})

export const loanStorySchema = z.object({
  loan: loanSchema,
  /** The schedule in force, or the planned one. */
  lines: z.array(scheduleLineSchema),
  /** Lines that a restructuring ended, each with what was paid of it. */
  replacedLines: z.array(scheduleLineSchema),
  /** The payment that ends the loan today. Null unless it owes something. */
  payoff: dollarsSchema.nullable(),
  /** In basis points, by the equation of Directive (EU) 2023/2225. */
  yearlyRate: z.number().int(),
  repayments: z.array(
    z.object({
      id: idSchema,
      valueOn: z.string(),
      reference: z.string(),
      principal: dollarsSchema,
      interest: dollarsSchema,
      /** Came after the loan was written off. */
      recovered: dollarsSchema,
      /** The part of `recovered` that no investor with an open account got, for the reserve. */
      toReserve: dollarsSchema,
      recordedBy: z.string(),
      at: timestampSchema,
      /** Why it was reversed. Null if it counts. */
      reversedFor: z.string().nullable(),
    }),
  ),
  events: z.array(
    z.object({
      what: z.enum(loanEvents),
      at: timestampSchema,
      /** The emails of those who did it: who asked, then who agreed. */
      by: z.array(z.string()),
      amount: dollarsSchema.nullable(),
    }),
  ),
  /** Moves between buckets of days past due, the oldest first. */
  moves: z.array(
    z.object({
      bucket: z.enum(buckets),
      /** By due days and value dates. */
      movedOn: z.string(),
      daysPastDue: z.number().int(),
      outstanding: dollarsSchema,
      at: timestampSchema,
    }),
  ),
  /** Null for a loan that was never in default. */
  default: z
    .object({
      on: z.string(),
      reason: z.enum(defaultReasons),
      daysPastDue: z.number().int(),
      /** Principal and interest that it owed by that day. */
      exposure: dollarsSchema,
      /** The first line due after that day, and the interest that it had earned by then. */
      stopped: z.object({ number: z.number().int(), interest: dollarsSchema }).nullable(),
      /** Why it was unlikely to be paid, in the words of the person who asked. */
      why: z.string().nullable(),
    })
    .nullable(),
  restructurings: z.array(
    z.object({
      startsOn: z.string(),
      /** Day of the month that the first day stands for. Null where it stands for itself. */
      startsAs: z.number().int().nullable(),
      firstNumber: z.number().int(),
      principal: dollarsSchema,
      /** Unpaid interest up to that day. Its first line owes it. */
      interest: dollarsSchema,
      isDistressed: z.boolean(),
      rateBasisPoints: z.number().int(),
      schedule: z.enum(scheduleKinds),
      period: z.enum(loanPeriods),
      dayCount: z.enum(dayCounts),
      instalments: z.number().int(),
      dueDay: z.number().int(),
      firstDueOn: z.string(),
      why: z.string(),
    }),
  ),
  /** The oldest first, as the next two. */
  collateral: z.array(collateralSchema),
  documents: z.array(documentSchema),
  updates: z.array(updateSchema),
  /** Why the application was withdrawn or declined. Null otherwise. */
  closedFor: z.string().nullable(),
  /** The application or loan of the same borrower that refinances this one. */
  refinancedById: idSchema.nullable(),
  /** The disbursing transaction, with its output where a batch paid. Null before. */
  evidence: z.string().nullable(),
  networkName: z.string().nullable(),
})
export type LoanStory = z.infer<typeof loanStorySchema>

const LOANS = '/api/v1/admin/loans'
const params = z.object({ id: idSchema })
const asked = z.object({ proposalId: idSchema })

const lists = {
  sorts: ['daysPastDue', 'createdAt', 'outstanding', 'amount', 'borrower'],
  /** `due`: late loans without an update for 14 days. */
  filters: { status: loanStatuses, bucket: buckets, updates: ['due'] },
} as const

/** `search` finds a part of the borrower's name, or the id of a loan. */
export const listLoans = {
  method: 'GET',
  path: LOANS,
  access: 'staff',
  summary: `List loans, those that are most days past due first by default. \`updates=due\` has late ones without an update for ${SILENT_DAYS} days`,
  query: listQuery(lists).extend({
    borrowerId: idSchema.optional().describe('The id of a borrower: their loans alone.'),
    mayLag,
  }),
  paged: lists,
  lags: true,
  body: z.array(loanSchema),
} as const satisfies Endpoint

export const loanStory = {
  method: 'GET',
  path: `${LOANS}/{id}`,
  access: 'staff',
  summary: 'Show a loan with its schedule, repayments and what happened to it',
  params,
  body: loanStorySchema,
} as const satisfies Endpoint

export const recordLoan = {
  method: 'POST',
  path: LOANS,
  access: 'staff',
  stepUp: true,
  summary:
    'Record an application for a loan with its terms. Nothing moves before two people approved it and two agreed to disburse it',
  payload: z.object({
    borrowerId: idSchema,
    purpose: z.enum(loanPurposes, { error: () => validation.fillAllFields }),
    ...termsShape,
    /** The part of the amount that investors' principal funds. None without it. */
    fromInvestors: amountSchema.optional(),
    /** A loan of the same borrower that still owes something. */
    refinancesId: idSchema.optional(),
    /** The day on which the pool took over a loan that was paid out before. Not for new loans. */
    takenOverOn: dateSchema.optional(),
  }),
  narration: 'Loan recorded. Two people approve it.',
  body: z.object({ id: idSchema }),
} as const satisfies Endpoint

export const askLoanApproval = {
  method: 'POST',
  path: `${LOANS}/{id}/approve`,
  access: 'staff',
  stepUp: true,
  summary: 'Approve a recorded loan as the first of two people. A second one decides',
  params,
  payload: z.object({ reason: textSchema().min(1, validation.reasonRequired) }),
  narration: 'Asked for. The loan is approved once another member of staff agrees.',
  body: asked,
} as const satisfies Endpoint

export const askDisbursement = {
  method: 'POST',
  path: `${LOANS}/{id}/disburse`,
  access: 'staff',
  stepUp: true,
  summary:
    'Name the transaction that paid an approved loan out by hand, and its day. A network that a node follows takes batches instead. The loan begins once a second member of staff agrees and the free reserve covers it',
  params,
  payload: z.object({
    networkName: filledSchema,
    evidence: filledSchema,
    disbursedOn: dateSchema,
  }),
  narration: 'Asked for. The loan begins once another member of staff agrees.',
  body: asked,
} as const satisfies Endpoint

export const askSending = {
  method: 'POST',
  path: `${LOANS}/{id}/send`,
  access: 'staff',
  stepUp: true,
  summary:
    'Name the address that a batch pays an approved loan to, on a network that a node follows. Its money is reserved once a second member of staff agrees and the free reserve covers it. The loan begins once the chain shows its coins',
  params,
  payload: z.object({ networkName: filledSchema, address: filledSchema }),
  narration: 'Asked for. The loan can be put in a batch once another member of staff agrees.',
  body: asked,
} as const satisfies Endpoint

export const askRelease = {
  method: 'POST',
  path: `${LOANS}/{id}/release`,
  access: 'staff',
  stepUp: true,
  summary:
    'Give the reserved money of a loan back to the free reserve, while no batch may pay it. A second member of staff decides',
  params,
  payload: z.object({ reason: textSchema().min(1, validation.reasonRequired) }),
  narration: 'Asked for. The money is free again once another member of staff agrees.',
  body: asked,
} as const satisfies Endpoint

/** One person alone has limits (docs/decisions/083). */
const SECOND_PERSON = 'Asked for. It counts once another member of staff approves it.'

export const repayLoan = {
  method: 'POST',
  path: `${LOANS}/{id}/repayments`,
  access: 'staff',
  stepUp: true,
  summary:
    'Record a repayment by the day on which it arrived. It pays interest before principal, the oldest instalment first. A reference counts once. Above what one person decides alone, or by a value date of more than three days ago, it waits for a second person',
  params,
  payload: z.object({
    amount: amountSchema,
    valueOn: dateSchema,
    reference: filledSchema,
    /** True for the payment that ends the loan, with interest by the day up to its value date. */
    inFull: z.boolean().optional(),
  }),
  narration: ({ proposalId }: { proposalId: string | null }) =>
    proposalId === null ? 'Repayment recorded.' : SECOND_PERSON,
  body: z.object({
    /** Null while it waits for a second person. */
    repaymentId: idSchema.nullable(),
    principal: dollarsSchema,
    interest: dollarsSchema,
    status: z.enum(loanStatuses),
    /** The proposal that a second person approves. Null where one person suffices. */
    proposalId: idSchema.nullable(),
  }),
  movesMoney: true,
} as const satisfies Endpoint

export const reverseRepayment = {
  method: 'POST',
  path: '/api/v1/admin/repayments/{id}/reverse',
  access: 'staff',
  stepUp: true,
  summary:
    'Reverse a repayment that was recorded wrongly, once, with the reason. Later repayments keep the instalments that they paid, and the next one pays the oldest open instalment first',
  params,
  payload: z.object({ reason: textSchema().min(1, validation.reasonRequired) }),
  narration: ({ proposalId }: { proposalId: string | null }) =>
    proposalId === null ? 'Repayment reversed. Its reference can be used again.' : SECOND_PERSON,
  body: z.object({ proposalId: idSchema.nullable() }),
} as const satisfies Endpoint

export const recountLoan = {
  method: 'POST',
  path: `${LOANS}/{id}/recount`,
  access: 'staff',
  stepUp: true,
  summary:
    'Ask a second person to place the later repayments of a loan anew, oldest open instalment first, after one in the middle was reversed',
  params,
  payload: z.object({ reason: textSchema().min(1, validation.reasonRequired) }),
  narration: SECOND_PERSON,
  body: z.object({ proposalId: idSchema }),
} as const satisfies Endpoint

export const closeLoan = {
  method: 'POST',
  path: `${LOANS}/{id}/close`,
  access: 'staff',
  stepUp: true,
  summary:
    'Close an application before its disbursement, as withdrawn by its borrower or declined by the pool, with the reason',
  params,
  payload: z.object({
    outcome: z.enum(closedStatuses, { error: () => validation.fillAllFields }),
    reason: textSchema().min(1, validation.reasonRequired),
  }),
  narration: 'Application closed.',
  body: z.null(),
} as const satisfies Endpoint
