/** Coins on the chains compared with the books (docs/product.md 5.25). */
import { z } from 'zod'
import { type Endpoint, idSchema } from '../base/endpoint.ts'
import { dollarsSchema } from '../base/money.ts'
import { timestampSchema } from '../base/timestamp.ts'
import { ownAccounts } from './custody.ts'

/** Comparisons in the list of earlier ones. */
export const RECONCILIATIONS_SIZE = 50

/**
 * Why a network was not compared: no look yet, a node that is not fine, is away, is behind, shows
 * another chain or is scanning already, or a network that has no comparison.
 */
export const comparisonProblems = [
  'UNREAD',
  'NOT_FINE',
  'AWAY',
  'BEHIND',
  'OTHER_CHAIN',
  'BUSY',
  'UNSUPPORTED',
] as const
export type ComparisonProblem = (typeof comparisonProblems)[number]

/** Coins in decimal text, below zero with a sign. */
const coins = z.string()

const lineSchema = z.object({
  account: z.enum(ownAccounts),
  /** On the chain at the block. */
  chain: coins,
  /** In the books, of transactions up to the block. */
  booked: coins,
  /** Of transactions in a block that are not confirmed yet. */
  pending: coins,
  /** Of a class that was never whole, and has no opening balance on record. */
  unopened: coins,
})

const coinSchema = z.object({
  network: z.string(),
  asset: z.string(),
  /** Left by transactions that nothing explains, and that staff have not settled. */
  unexplained: coins,
  /** Capital of the operator in the books that no payment covers. */
  uncovered: coins,
  /** The break. Below zero coins are missing. */
  difference: coins,
  /** The part of it that two people accepted. */
  accepted: coins,
  /** Dollars of the difference at the newest rate. Null where the coin never had one. */
  dollars: dollarsSchema.nullable(),
  lines: z.array(lineSchema),
})

const networkSchema = z.object({
  network: z.string(),
  /** Null where it was not compared. */
  height: z.number().int().nullable(),
  addresses: z.number().int().nullable(),
  problem: z.enum(comparisonProblems).nullable(),
})

const summarySchema = z.object({
  id: idSchema,
  at: timestampSchema,
  /** False where coins and books differ. */
  isWhole: z.boolean(),
  /** Dollars of the breaks that were not accepted. */
  breaks: dollarsSchema,
  /** True if a break is of a coin that never had a rate. */
  isUnpriced: z.boolean(),
  /** True if it paused withdrawals. */
  isPausing: z.boolean(),
})
export type ReconciliationSummary = z.infer<typeof summarySchema>

const reconciliationSchema = summarySchema.extend({
  /** Dollars of breaks above which withdrawals pause. */
  limit: dollarsSchema,
  networks: z.array(networkSchema),
  coins: z.array(coinSchema),
  /**
   * Dollars that the ledger counts in custody, of them those that people typed, and coins on the
   * chains at the rates of then. The difference is by the rates.
   */
  valuation: z.object({
    custody: dollarsSchema,
    typed: dollarsSchema,
    coins: dollarsSchema,
    difference: dollarsSchema,
  }),
})
export type Reconciliation = z.infer<typeof reconciliationSchema>

export const readReconciliation = {
  method: 'GET',
  path: '/api/v1/admin/reconciliation',
  access: 'staff',
  summary: `Compare the pool's coins on the chains with its books: the newest comparison, line by line, and the ${RECONCILIATIONS_SIZE} before it. A break beyond the limit pauses withdrawals until two super admins let them go on`,
  body: z.object({
    /** False without any node, so that nothing is compared. */
    hasNodes: z.boolean(),
    /** True while a break pauses withdrawals. */
    isPaused: z.boolean(),
    /** Null before the first one. */
    newest: reconciliationSchema.nullable(),
    earlier: z.array(summarySchema),
  }),
} as const satisfies Endpoint
