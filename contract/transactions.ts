import { z } from 'zod'
import { type Endpoint, idSchema, ownerSchema } from './endpoint.ts'
import { amountSchema, filledSchema, textSchema, withdrawalAmountSchema } from './fields.ts'
import { limitHolders } from './limits.ts'
import { amountFilters, listQuery, mayLag } from './lists.ts'
import { succeeded, validation } from './messages.ts'
import { dollarsSchema, OPEN_DEPOSITS_LIMIT } from './money.ts'
import { timestampSchema } from './timestamp.ts'
import type { Tone } from './tones.ts'
import { networkNames } from './wallets.ts'

export const transactionStatuses = [
  'PENDING',
  'APPROVED',
  'REJECTED',
  'COMPLETED',
  'PROCESSING',
  'EXPIRED',
] as const
export type TransactionStatus = (typeof transactionStatuses)[number]

export const transactionTypes = ['deposit', 'withdrawal', 'investment', 'payout'] as const
export type TransactionType = (typeof transactionTypes)[number]

type TypeFacts = {
  /** The effect on the investor's available balance. */
  readonly direction: 'in' | 'out'
  /** Staff decide about requests. The product records the effects of investments. */
  readonly decidedBy: 'staff' | 'product'
  readonly tone: Tone
}

/** The facts of each type. Its words are in the catalogues under `type.NAME`. */
export const typeFacts = {
  deposit: { direction: 'in', decidedBy: 'staff', tone: 'green' },
  withdrawal: { direction: 'out', decidedBy: 'staff', tone: 'amber' },
  investment: { direction: 'out', decidedBy: 'product', tone: 'purple' },
  payout: { direction: 'in', decidedBy: 'product', tone: 'blue' },
} as const satisfies Readonly<Record<TransactionType, TypeFacts>>

/** The types with these facts. */
export const typesWith = ({ direction, decidedBy }: Partial<TypeFacts>): TransactionType[] =>
  transactionTypes.filter(
    (type) =>
      typeFacts[type].direction === (direction ?? typeFacts[type].direction) &&
      typeFacts[type].decidedBy === (decidedBy ?? typeFacts[type].decidedBy),
  )

type ActionFacts = {
  readonly type: TransactionType
  readonly from: TransactionStatus
  readonly to: TransactionStatus
}

/**
 * The decisions of staff: the type that each needs, the status before it and the status after it
 * (docs/product.md 5.3).
 */
export const transactionActions = {
  confirm: { type: 'deposit', from: 'PENDING', to: 'APPROVED' },
  approve: { type: 'withdrawal', from: 'PENDING', to: 'APPROVED' },
  reject: { type: 'withdrawal', from: 'PENDING', to: 'REJECTED' },
  rejectDeposit: { type: 'deposit', from: 'PENDING', to: 'REJECTED' },
} as const satisfies Readonly<Record<string, ActionFacts>>
export type TransactionAction = keyof typeof transactionActions

/** The actions open to staff; none for an unknown type or status. */
export const actionsFor = (type: string, status: string): readonly TransactionAction[] =>
  (Object.keys(transactionActions) as TransactionAction[]).filter(
    (action) =>
      transactionActions[action].type === type && transactionActions[action].from === status,
  )

/** Doubts about a request for staff, most serious first (docs/product.md 5.17). */
export const transactionFlags = [
  'ownerFrozen',
  'poolWallet',
  'addressChanged',
  'sharedAddress',
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
  /** The reason of a rejection, else empty. */
  reason: z.string(),
  /** The transaction on the chain that a confirmation rests on, else empty. */
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
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
})
export type Transaction = z.infer<typeof transactionSchema>

/** The destination of a withdrawal that names none (docs/product.md 5.8). */
export const DEFAULT_DESTINATION = 'Default Address'

type Destined = {
  readonly destinationAddress?: string | undefined
  readonly description?: string | undefined
}

/** The destination of a withdrawal: the address, else the description, else the default. */
export const destinationOf = ({ destinationAddress, description }: Destined): string =>
  destinationAddress?.trim() || description?.trim() || DEFAULT_DESTINATION

/** The reasons that are recorded when an admin gives none (docs/product.md 5.10). */
export const defaultReason = {
  reject: 'Transaction rejected by admin',
  rejectApproval: 'Approval rejected by admin',
} as const

/** The reason on record for a request that its investor cancelled. */
export const CANCELLED = 'Cancelled by the investor'

/** The result of a decision. */
const decidedSchema = z.object({
  transactionId: idSchema,
  status: z.enum(transactionStatuses),
  reason: z.string(),
})

const narrationOfDecision = ({ status }: { readonly status: TransactionStatus }): string =>
  status === 'PENDING' ? succeeded.firstApproval : 'OK'

export const balance = {
  method: 'POST',
  path: '/api/v1/public/transaction/balance',
  access: 'user',
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

export const deposit = {
  method: 'POST',
  path: '/api/v1/public/transaction/deposit',
  access: 'user',
  summary: `Ask to deposit. Answers with the wallet to pay to. At most ${OPEN_DEPOSITS_LIMIT} deposits of an account may wait for confirmation`,
  payload: z.object({
    userId: idSchema,
    amount: amountSchema,
    /** The network of a first wallet. Without one, the oldest available wallet is given. */
    networkName: textSchema().optional(),
    description: textSchema().optional(),
  }),
  body: z.object({
    address: z.string(),
    networkName: z.string(),
    transactionId: idSchema,
    amount: dollarsSchema,
  }),
  movesMoney: true,
} as const satisfies Endpoint

export const withdraw = {
  method: 'POST',
  path: '/api/v1/public/transaction/withdraw',
  access: 'user',
  stepUp: true,
  summary:
    'Ask to withdraw. The amount is held at once and waits for approval. Live mode needs an address, and its network if it fits several',
  payload: z.object({
    userId: idSchema,
    amount: withdrawalAmountSchema,
    destinationAddress: textSchema().optional(),
    /**
     * The destination must be an address of this network. Live mode requires it for an address that
     * fits several.
     */
    networkName: textSchema().optional(),
    description: textSchema().optional(),
  }),
  body: z.object({
    transactionId: idSchema,
    amount: dollarsSchema,
    status: z.literal('PENDING'),
    destinationAddress: z.string(),
  }),
  movesMoney: true,
} as const satisfies Endpoint

export const checkDestination = {
  method: 'POST',
  path: '/api/v1/user/destination',
  access: 'user',
  summary:
    'Check the destination of a withdrawal: the networks that it is an address of, and if it is one of the pool',
  payload: z.object({ destination: textSchema() }),
  body: z.object({ networks: z.array(z.string()), isPoolWallet: z.boolean() }),
} as const satisfies Endpoint
export type CheckedDestination = z.infer<typeof checkDestination.body>

/** The most ids that one query may name. They fit in a URL. */
export const IDS_AT_ONCE = 100

const idsSchema = z
  .string(validation.idInvalid)
  .transform((text) => text.split(','))
  .refine(
    (ids) => ids.length <= IDS_AT_ONCE && ids.every((id) => idSchema.safeParse(id).success),
    validation.idInvalid,
  )
  .describe(`Ids of rows, separated by commas, at most ${IDS_AT_ONCE}.`)

const lists = {
  sorts: ['createdAt', 'updatedAt', 'amount'],
  filters: { status: transactionStatuses, type: transactionTypes, network: networkNames },
} as const

/**
 * An investor gets their own transactions, staff get all. `search` finds a part of the owner's
 * email or name, an id, or a whole address.
 */
export const listTransactions = {
  method: 'GET',
  path: '/api/v1/public/transaction',
  access: 'user',
  summary: 'List transactions, newest first by default. An investor gets their own, staff get all',
  query: listQuery(lists).extend({
    ...amountFilters,
    ids: idsSchema.optional(),
    userId: ownerSchema,
    mayLag,
  }),
  paged: lists,
  lags: true,
  body: z.array(transactionSchema),
} as const satisfies Endpoint

export const approve = {
  method: 'POST',
  path: '/api/v1/public/transaction/approve',
  access: 'staff',
  stepUp: true,
  summary:
    'Approve a pending withdrawal of userId. Above a limit it waits for a second person. Live mode needs payeeAddress, the address that the approver was shown, and refuses one that was first named less than 24 hours ago',
  payload: z.object({
    transactionId: idSchema,
    userId: idSchema,
    payeeAddress: textSchema().optional(),
  }),
  body: decidedSchema,
  narration: narrationOfDecision,
  movesMoney: true,
} as const satisfies Endpoint

export const confirm = {
  method: 'POST',
  path: '/api/v1/public/transaction/confirm',
  access: 'staff',
  stepUp: true,
  summary:
    'Confirm that a pending deposit has arrived. receivedAmount is credited if it differs from what was asked. Live mode needs evidence, the id of its transaction on the chain. Above a limit it waits for a second person, who must name the same amount',
  payload: z.object({
    transactionId: idSchema,
    evidence: textSchema(200).optional(),
    receivedAmount: amountSchema.optional(),
  }),
  body: decidedSchema,
  narration: narrationOfDecision,
  movesMoney: true,
} as const satisfies Endpoint

// An empty reason counts as none (docs/product.md 5.10).
const reasonSchema = textSchema().optional()

const rejectById = {
  path: '/api/v1/transaction/{id}/reject',
  access: 'staff',
  summary: 'Reject a pending withdrawal',
  params: z.object({ id: idSchema }),
  payload: z.object({ reason: reasonSchema }),
  body: decidedSchema,
  movesMoney: true,
} as const

/**
 * The three ways to reject a withdrawal, in the order in which a client tries them (docs/product.md
 * 5.10).
 */
export const reject = { ...rejectById, stepUp: true, method: 'POST' } as const satisfies Endpoint
export const rejectByPayload = {
  method: 'POST',
  path: '/api/v1/transaction/reject',
  access: 'staff',
  stepUp: true,
  summary: 'Reject a pending withdrawal named in the payload',
  payload: z.object({ transactionId: idSchema, reason: reasonSchema }),
  body: decidedSchema,
  movesMoney: true,
} as const satisfies Endpoint
export const rejectByPut = {
  ...rejectById,
  stepUp: true,
  method: 'PUT',
} as const satisfies Endpoint

export const rejectDeposit = {
  ...rejectById,
  stepUp: true,
  method: 'POST',
  path: '/api/v1/transaction/{id}/reject-deposit',
  access: 'staff',
  summary: 'Reject a pending deposit, with the reason that its investor reads',
  payload: z.object({ reason: filledSchema }),
} as const satisfies Endpoint

export const cancel = {
  ...rejectById,
  method: 'POST',
  path: '/api/v1/transaction/{id}/cancel',
  access: 'user',
  summary:
    "Cancel the caller's own pending deposit or withdrawal. A held amount can be spent again",
  payload: z.object({}),
} as const satisfies Endpoint

/** An approved withdrawal is sent (PROCESSING), then completed. */
export const markSent = {
  method: 'POST',
  path: '/api/v1/transaction/{id}/sent',
  access: 'staff',
  summary:
    'Mark an approved withdrawal as sent, with the id of its transaction on the chain. The same mark again changes nothing',
  params: z.object({ id: idSchema }),
  payload: z.object({ networkName: filledSchema, evidence: textSchema(200) }),
  body: z.object({ transactionId: idSchema, status: z.enum(['PROCESSING', 'COMPLETED']) }),
} as const satisfies Endpoint

export const markCompleted = {
  method: 'POST',
  path: '/api/v1/transaction/{id}/completed',
  access: 'staff',
  summary: 'Mark a sent withdrawal as completed. The same mark again changes nothing',
  params: z.object({ id: idSchema }),
  body: z.object({ transactionId: idSchema, status: z.literal('COMPLETED') }),
} as const satisfies Endpoint
