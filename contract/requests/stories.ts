/** The story of one transaction or investment: its events and its transfers in the ledger. */
import { z } from 'zod'
import { type Endpoint, idSchema } from '../base/endpoint.ts'
import { dollarsSchema } from '../base/money.ts'
import { timestampSchema } from '../base/timestamp.ts'
import { quoteSchema } from '../chain/quotes.ts'
import { depositPaymentSchema } from '../coins/payments.ts'
import { coinPayoutSchema } from '../coins/payouts.ts'
import { investmentSchema } from '../money/investments.ts'
import { transferSchema } from '../money/ledger.ts'
import { transactionSchema } from './transactions.ts'

export const storyEvents = [
  'requested',
  'arrived',
  'firstApproval',
  'confirmed',
  'approved',
  'rejected',
  'cancelled',
  'sent',
  'completed',
  'expired',
  'opened',
  'matured',
  'reversed',
  'collected',
  'borne',
  'recovered',
  'borne',
  'recovered',
  'returned',
] as const
export type StoryEvent = (typeof storyEvents)[number]

export const actorKinds = ['you', 'owner', 'staff', 'system'] as const

/** The actor of an event. Only staff get usernames. */
export const actorSchema = z.object({
  kind: z.enum(actorKinds),
  username: z.string().optional(),
})
export type Actor = z.infer<typeof actorSchema>

export const eventSchema = z.object({
  at: timestampSchema,
  what: z.enum(storyEvents),
  by: actorSchema,
  /** The dollars asked for, approved or credited, of a deposit where they differ. */
  amount: dollarsSchema.optional(),
})
export type Event = z.infer<typeof eventSchema>

const story = {
  events: z.array(eventSchema),
  transfers: z.array(transferSchema),
  /** True when the transfers of its month were moved to the operator's archive. */
  transfersArchived: z.boolean(),
}

/** An investor gets the stories of their own rows and a 404 for others. Staff get every story. */
export const transactionStory = {
  method: 'GET',
  path: '/api/v1/transaction/{id}/story',
  access: 'user',
  forReadingKeys: true,
  summary:
    'The events and the transfers of a transaction. An investor gets their own, staff get any',
  params: z.object({ id: idSchema }),
  body: z.object({
    transaction: transactionSchema,
    /** The investment that an `investment` or `payout` belongs to. */
    investmentId: idSchema.nullable(),
    /** The quote of a deposit that has one. */
    quote: quoteSchema.optional(),
    /**
     * The newest payments to the address of a waiting deposit that no other one rests on, and those
     * that a decided one rests on. Missing where the operator has no node of its network.
     */
    payments: z.array(depositPaymentSchema).optional(),
    /** The payment of a withdrawal in coins, once a batch has it. */
    coinPayout: coinPayoutSchema.optional(),
    /**
     * The older withdrawals, up to 1,000, that are paid before a waiting one. Missing once it does
     * not wait for staff, or a batch has it.
     */
    ahead: z.number().int().optional(),
    ...story,
  }),
} as const satisfies Endpoint
export type TransactionStory = z.infer<typeof transactionStory.body>

export const investmentStory = {
  method: 'GET',
  path: '/api/v1/investment/{id}/story',
  access: 'user',
  forReadingKeys: true,
  summary:
    'The rate, the payout, the events and the transfers of an investment. An investor gets their own, staff get any',
  params: z.object({ id: idSchema }),
  body: z.object({
    /** Its maturity is a moment, for staff too. */
    investment: investmentSchema,
    /** Interest over the whole term, in basis points, as fixed at the start. */
    rateBasisPoints: z.number().int(),
    /** The transaction that took the principal from the balance. */
    openingTransactionId: idSchema,
    /** The transaction that paid principal and interest back, or null. */
    payoutTransactionId: idSchema.nullable(),
    ...story,
  }),
} as const satisfies Endpoint
export type InvestmentStory = z.infer<typeof investmentStory.body>

/** The reader of a story. */
export type Reader = { readonly userId: string; readonly isStaff: boolean }

/** Names an actor to a reader. */
export const actorFor = (
  reader: Reader,
  kind: 'owner' | 'staff',
  person: { readonly id: string; readonly username: string },
): Actor =>
  person.id === reader.userId
    ? { kind: 'you' }
    : { kind, ...(reader.isStaff && { username: person.username }) }
