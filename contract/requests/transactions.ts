import { z } from 'zod'
import { type Endpoint, idSchema, idsSchema, ownerSchema } from '../base/endpoint.ts'
import { amountFilters, listQuery, mayLag } from '../base/lists.ts'
import { dollarsSchema } from '../base/money.ts'
import { timestampSchema } from '../base/timestamp.ts'
import type { Tone } from '../base/tones.ts'
import { networkNames } from '../chain/wallets.ts'
import { batchStates } from '../coins/batchStates.ts'
import { limitHolders } from '../money/limits.ts'

export const transactionStatuses = [
  'PENDING',
  'APPROVED',
  'REJECTED',
  'COMPLETED',
  'PROCESSING',
  'EXPIRED',
  'REVERSED',
  'RETURNED',
] as const
export type TransactionStatus = (typeof transactionStatuses)[number]

export const transactionTypes = [
  'deposit',
  'withdrawal',
  'investment',
  'payout',
  'reversal',
  'loss',
  'recovery',
] as const
export type TransactionType = (typeof transactionTypes)[number]

type TypeFacts = {
  /** The effect on the investor's money. All but a loss change the available balance. */
  readonly direction: 'in' | 'out'
  /** Staff decide about requests. The product records the effects of investments. */
  readonly decidedBy: 'staff' | 'product'
  readonly tone: Tone
  /** True if its amount changes the total value of an account. An investment moves it within. */
  readonly isValued: boolean
}

/** The facts of each type. Its words are in the catalogues under `type.NAME`. */
export const typeFacts = {
  deposit: { direction: 'in', decidedBy: 'staff', tone: 'green', isValued: true },
  withdrawal: { direction: 'out', decidedBy: 'staff', tone: 'amber', isValued: true },
  investment: { direction: 'out', decidedBy: 'product', tone: 'purple', isValued: false },
  payout: { direction: 'in', decidedBy: 'product', tone: 'blue', isValued: false },
  reversal: { direction: 'out', decidedBy: 'product', tone: 'red', isValued: true },
  /** A part of a shared loss, out of what is invested. */
  loss: { direction: 'out', decidedBy: 'product', tone: 'red', isValued: true },
  /** A part of what came back of it. */
  recovery: { direction: 'in', decidedBy: 'product', tone: 'green', isValued: true },
} as const satisfies Readonly<Record<TransactionType, TypeFacts>>

/** The types with these facts. */
export const typesWith = (facts: Partial<TypeFacts>): TransactionType[] =>
  transactionTypes.filter((type) =>
    (Object.keys(facts) as (keyof TypeFacts)[]).every(
      (fact) => typeFacts[type][fact] === facts[fact],
    ),
  )

/** Doubts about a request for staff, most serious first (docs/product.md 5.17). */
export const transactionFlags = [
  'ownerFrozen',
  'ownerSuspended',
  'ownerOwes',
  'takenBack',
  'poolWallet',
  'addressChanged',
  'sharedAddress',
  'unannounced',
  'unusualAmount',
  'unusualPace',
  'firstWithdrawal',
] as const
export type TransactionFlag = (typeof transactionFlags)[number]

/** The server's record of a transaction (docs/product.md 10.5). Amount in dollars. */
export const transactionSchema = z.object({
  id: idSchema,
  transactionId: idSchema,
  userId: idSchema,
  username: z.string(),
  userEmail: z.string(),
  type: z.enum(transactionTypes),
  /** Of a confirmed deposit, what was received. */
  amount: dollarsSchema,
  /** Of a confirmed deposit, what was asked for, if another amount was received. */
  requestedAmount: dollarsSchema.optional(),
  /** Of a withdrawal, what its investor bears of the network's fee, beside the amount. */
  networkFee: dollarsSchema.optional(),
  /** The interest in a payout; the rest of its amount is principal. */
  interest: dollarsSchema.optional(),
  status: z.enum(transactionStatuses),
  description: z.string(),
  /** The wallet that a deposit is paid to; empty for other types. */
  walletAddress: z.string(),
  networkName: z.string(),
  /** The destination of a withdrawal; empty for other types. */
  destinationAddress: z.string(),
  /**
   * The address that a withdrawal is paid to, if its destination resolves to one. `networkName` is
   * empty for an address of several networks.
   */
  payee: z
    .object({
      address: z.string(),
      networkName: z.string(),
      since: timestampSchema,
      /** The moment at which the investor first named the address; of pending withdrawals only. */
      firstNamed: timestampSchema.optional(),
      /** The moment from which it can be approved: in live mode 24 hours later. */
      usableFrom: timestampSchema.optional(),
    })
    .optional(),
  /** Of a deposit that the product opened, since its coins came without a request. */
  unannounced: z.literal(true).optional(),
  /** The reason of a rejection, or of a withdrawal given back. Else empty. */
  reason: z.string(),
  /** The transaction that a confirmation rests on, with `:output` if named. Else empty. */
  evidence: z.string(),
  /** The transaction on the chain that paid a withdrawal, once it was sent. */
  sent: z.object({ evidence: z.string(), networkName: z.string(), at: timestampSchema }).optional(),
  /**
   * The number of people who must decide. Staff get the number that a decision at this moment would
   * need.
   */
  approvalsNeeded: z.number().int(),
  /** The limit that the reader would exceed by deciding alone. Staff only. */
  exceeds: z.enum(limitHolders).optional(),
  /** The approvers so far with the amounts, of a transaction that needs several. Staff only. */
  approvals: z
    .array(z.object({ username: z.string(), amount: dollarsSchema, at: timestampSchema }))
    .optional(),
  /** Of a pending request in a page or a story. Staff only. */
  flags: z.array(z.enum(transactionFlags)).optional(),
  /** The batch that pays an approved or sent withdrawal, in a page. Staff only. */
  batchId: idSchema.optional(),
  /** The state of that batch. While it is WAITING or READY, the withdrawal takes no mark. */
  batchState: z.enum(batchStates).optional(),
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
})
export type Transaction = z.infer<typeof transactionSchema>

export const balance = {
  method: 'POST',
  path: '/api/v1/public/transaction/balance',
  access: 'user',
  forReadingKeys: true,
  whileFrozen: true,
  summary: "The caller's spendable balance, in dollars",
  payload: z.object({ userId: idSchema }),
  body: dollarsSchema,
} as const satisfies Endpoint

export const totalBalance = {
  method: 'GET',
  path: '/api/v1/public/transaction/get-balances',
  access: 'staff',
  summary: "The sum of all investors' spendable balances, in dollars",
  body: dollarsSchema,
} as const satisfies Endpoint

const lists = {
  sorts: ['createdAt', 'updatedAt', 'amount'],
  filters: { status: transactionStatuses, type: transactionTypes, network: networkNames },
} as const

/**
 * An investor gets their own transactions, staff get all. `search` finds a part of the owner's
 * email or name, an id, a whole address, or the whole id of a transaction on a chain.
 */
export const listTransactions = {
  method: 'GET',
  path: '/api/v1/public/transaction',
  access: 'user',
  forReadingKeys: true,
  summary: 'List transactions, newest first by default. An investor gets their own, staff get all',
  query: listQuery(lists).extend({
    ...amountFilters,
    ids: idsSchema,
    userId: ownerSchema,
    mayLag,
  }),
  paged: lists,
  lags: true,
  body: z.array(transactionSchema),
} as const satisfies Endpoint
