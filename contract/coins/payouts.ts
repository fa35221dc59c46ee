/** Coins that leave the pool: how each withdrawal is paid, and every payout that went wrong. */
import { z } from 'zod'
import { type Endpoint, idSchema } from '../base/endpoint.ts'
import { textSchema } from '../base/fields.ts'
import { timestampSchema } from '../base/timestamp.ts'
import * as validation from '../base/validation.ts'
import { paymentStates } from './payments.ts'

/** The ways in which a payout can go wrong (docs/product.md 5.23). */
export const alarmKinds = [
  'SHORT',
  'MORE',
  'TWICE',
  'OTHER',
  'LATE',
  'UNAPPROVED',
  'GIVEN_BACK',
  'REORGANISED',
  'UNEXPLAINED',
] as const
export type AlarmKind = (typeof alarmKinds)[number]

/** Most alarms in a list. */
export const ALARMS_SIZE = 100

export const alarmSchema = z.object({
  id: idSchema,
  kind: z.enum(alarmKinds),
  network: z.string(),
  /** The batch that it concerns. Null for coins that no batch explains. */
  batchId: idSchema.nullable(),
  /** The withdrawal that it concerns. Null for a whole batch. */
  withdrawalId: idSchema.nullable(),
  /** The transaction on the chain. Null where none pays it. */
  transaction: z.string().nullable(),
  /** The life of that transaction. */
  state: z.enum(paymentStates).nullable(),
  /** The payee of the batch, and what it gets, in whole coins or tokens, as exact decimals. */
  payee: z.string().nullable(),
  amount: z.string().nullable(),
  asset: z.string().nullable(),
  /** The coins that the transaction pays to addresses that are not ours. */
  sent: z.array(
    z.object({ address: z.string().nullable(), amount: z.string(), asset: z.string() }),
  ),
  /** The same coins in text, each coin once. Empty without any. */
  total: z.string(),
  foundAt: timestampSchema,
  /** The moment from which nothing shows it any more. Null while it stands. */
  endedAt: timestampSchema.nullable(),
  /** Null while staff have not settled it. */
  settledAt: timestampSchema.nullable(),
  /** The email of the person who settled it. Null before, and of a closed account. */
  settledBy: z.string().nullable(),
  reason: z.string().nullable(),
})
export type PayoutAlarm = z.infer<typeof alarmSchema>

const ALARMS = '/api/v1/admin/payout-alarms'

export const listAlarms = {
  method: 'GET',
  path: ALARMS,
  access: 'staff',
  summary: `List payouts that went another way than their batch says, and coins that left without a batch: the ${ALARMS_SIZE} newest, those that wait for staff first`,
  body: z.array(alarmSchema),
} as const satisfies Endpoint

export const settleAlarm = {
  method: 'POST',
  path: `${ALARMS}/{id}/settle`,
  access: 'staff',
  stepUp: true,
  summary:
    'Settle an alarm about a payout, with what was done about it. Moves no money. Coins that left without a batch are settled by two super admins, as a proposal',
  params: z.object({ id: idSchema }),
  payload: z.object({ reason: textSchema().min(1, validation.reasonRequired) }),
  narration: 'Settled.',
  body: z.null(),
} as const satisfies Endpoint

/** The payment of a withdrawal in coins, as its investor reads it. */
export const coinPayoutSchema = z.object({
  network: z.string(),
  /** A symbol such as BTC or USDC. */
  asset: z.string(),
  /** In whole coins or tokens, as exact decimals. Fixed when the batch was made. */
  amount: z.string(),
  /** Dollars for one coin, as exact decimals, and the moment of that rate. */
  rate: z.string(),
  rateAt: timestampSchema,
  /** The transaction that pays it now. Null while none does. */
  payment: z
    .object({
      transaction: z.string(),
      state: z.enum(paymentStates),
      /** The blocks that confirm it, its own among them. Null before the first. */
      depth: z.number().int().nullable(),
      /** The blocks after which it counts as arrived. Null where the final block decides. */
      needed: z.number().int().nullable(),
      seenAt: timestampSchema,
      confirmedAt: timestampSchema.nullable(),
    })
    .nullable(),
})
export type CoinPayout = z.infer<typeof coinPayoutSchema>
