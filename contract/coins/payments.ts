/** Coins that paid an address of the pool, as the operator's nodes tell it. */
import { z } from 'zod'
import { type Endpoint, idSchema } from '../base/endpoint.ts'
import { dollarsSchema } from '../base/money.ts'
import { timestampSchema } from '../base/timestamp.ts'

/** The life of a payment. One that was confirmed and is gone is `REVERSED`. */
export const paymentStates = ['SEEN', 'CONFIRMED', 'REPLACED', 'DROPPED', 'REVERSED'] as const
export type PaymentState = (typeof paymentStates)[number]

/** Most payments in a list. */
export const PAYMENTS_SIZE = 100

/** The facts of a payment that its investor reads, too. */
const shown = {
  id: idSchema,
  /** As evidence names it: the transaction, and its output, log or inner transfer after a colon. */
  evidence: z.string(),
  /** A symbol such as BTC or USDC. */
  asset: z.string(),
  /** In whole coins or tokens, as exact decimals. */
  amount: z.string(),
  state: z.enum(paymentStates),
  /** The blocks that confirm it, its own among them. Null before the first. */
  depth: z.number().int().nullable(),
  /** The blocks after which it is confirmed. Null where the network's final block decides. */
  needed: z.number().int().nullable(),
  seenAt: timestampSchema,
}

export const paymentSchema = z.object({
  ...shown,
  network: z.string(),
  address: z.string(),
  /** Null while the address has no investor. */
  userId: idSchema.nullable(),
  /** True for an address of the pool that no investor pays to. Nothing is credited for it. */
  isOwn: z.boolean(),
  /** The deposit that rests on it: waiting, credited or taken back. Null without one. */
  depositId: idSchema.nullable(),
})
export type Payment = z.infer<typeof paymentSchema>

/** A payment to the address of a deposit. */
export const depositPaymentSchema = z.object({
  ...shown,
  /** The dollars that it counts as. Null where no rate of its coin counts. */
  dollars: dollarsSchema.nullable(),
})
export type DepositPayment = z.infer<typeof depositPaymentSchema>

export const listPayments = {
  method: 'GET',
  path: '/api/v1/admin/payments',
  access: 'staff',
  summary: `List the newest ${PAYMENTS_SIZE} payments that the operator's nodes saw, each with its investor and its deposit`,
  body: z.array(paymentSchema),
} as const satisfies Endpoint
