/** Batches: payments that staff sign outside the product, in one file (docs/product.md 5.22). */
import { z } from 'zod'
import { type Endpoint, idSchema } from '../base/endpoint.ts'
import { textSchema } from '../base/fields.ts'
import { dollarsSchema } from '../base/money.ts'
import { timestampSchema } from '../base/timestamp.ts'
import * as validation from '../base/validation.ts'
import { rateSources } from '../chain/rateSources.ts'
import { type BatchState, batchStates } from './batchStates.ts'
import { outOfOrderReason } from './withdrawalOrder.ts'

/**
 * Most payments of a file of each format. The Safe's own pages fail with 200 calls, and make 100
 * (docs/decisions/081).
 */
export const BATCH_SIZES = { PSBT: 200, SAFE: 100, CSV: 200 } as const
/** Most withdrawals and loans of a batch. */
export const BATCH_SIZE = 200
/** Most batches in a list. */
export const BATCHES_SIZE = 100
/** Satoshis for a virtual byte. */
export const MOST_FEE_RATE = 1_000
/** Decimals of such a rate, as nodes estimate them: satoshis for a thousand virtual bytes. */
export const FEE_RATE_DECIMALS = 3

export const batchKinds = ['PAYOUT', 'COLLECTION'] as const
export const batchFormats = ['PSBT', 'SAFE', 'CSV'] as const
export type BatchFormat = (typeof batchFormats)[number]

/** Why a batch leaves a withdrawal or a loan out. */
export const batchLeftOuts = [
  'notToSend',
  'otherNetwork',
  'noAddress',
  'inBatch',
  'returned',
  'own',
  'frozen',
  'firstDue',
  'unexplained',
  'small',
  'earlierBatch',
  'refused',
  'costly',
  'feeAboveBound',
  'full',
] as const
export type BatchLeftOut = (typeof batchLeftOuts)[number]

/** In whole coins or tokens, as exact decimals. */
const amountSchema = z.string()

const asked = z.object({
  kind: z.enum(batchKinds).default('PAYOUT'),
  networkName: z.string(),
  /** A symbol such as BTC or USDC. */
  coin: z.string().max(12),
  /** Of a payout. */
  withdrawalIds: z.array(idSchema).max(BATCH_SIZE).default([]),
  /** Of a payout: loans whose money is reserved. */
  loanIds: z.array(idSchema).max(BATCH_SIZE).default([]),
  /** Of a collection: the address of the pool that receives. */
  target: textSchema(200).optional(),
  /** Bitcoin: satoshis for a virtual byte, to three decimals. Without it, the node's estimate. */
  feeRate: z
    .number()
    .min(1)
    .max(MOST_FEE_RATE)
    .multipleOf(10 ** -FEE_RATE_DECIMALS)
    .optional(),
  /** Bitcoin: the most coins of the fee. Without it 2 % of what is paid, and at least 0.0005. */
  mostFee: z
    .string()
    .regex(/^\d{1,8}(\.\d{1,8})?$/)
    .optional(),
  /** EVM networks: `SAFE`, or `CSV` for a plain key. */
  format: z.enum(batchFormats).optional(),
  /** The address that pays, where the inputs do not say it. */
  payer: textSchema(200).optional(),
})

const plannedPayout = z.object({
  /** At most one of these two. Both are null where it pays an address of the pool. */
  withdrawalId: idSchema.nullable(),
  loanId: idSchema.nullable(),
  address: z.string(),
  amount: amountSchema,
  /** Null of a collection. */
  dollars: dollarsSchema.nullable(),
})

const shared = {
  kind: z.enum(batchKinds),
  format: z.enum(batchFormats),
  network: z.string(),
  coin: z.string(),
  /** The dollars of one coin. */
  rate: z.string(),
  /** Null for one dollar, where the coin had no rate. */
  rateSource: z.enum(rateSources).nullable(),
  rateAt: timestampSchema,
  /** Bitcoin: satoshis for a virtual byte. */
  feeRate: z.number().nullable(),
  /** In the network's own coin. */
  fee: amountSchema.nullable(),
  feeCoin: z.string().nullable(),
  /** Null where the network's coin has no rate that counts. */
  feeDollars: dollarsSchema.nullable(),
  /** EVM networks: gas, and gwei for a unit of it when the batch was made. The signer pays it. */
  gas: z.number().int().nullable(),
  gasPrice: amountSchema.nullable(),
  change: amountSchema.nullable(),
  changeAddress: z.string().nullable(),
  /** Unspent outputs or addresses that are spent. */
  inputs: z.number().int(),
  /** Bitcoin: the fingerprint of the wallet that signs. */
  signer: z.string().nullable(),
  payer: z.string().nullable(),
  nonce: z.number().int().nullable(),
  /** The hash that a signer of the Safe compares (EIP-712). */
  safeHash: z.string().nullable(),
  /** Coins in all, without the fee. */
  total: amountSchema,
}

const planSchema = z.object({
  ...shared,
  /** Dollars in all. */
  dollars: dollarsSchema,
  /** True where a second person must approve it. */
  needsSecond: z.boolean(),
  /** Older withdrawals that such a batch could pay, and that this one does not. */
  passedOver: z.number().int(),
  payouts: z.array(plannedPayout),
  leftOut: z.array(
    z.object({
      withdrawalId: idSchema.nullable(),
      loanId: idSchema.nullable(),
      why: z.enum(batchLeftOuts),
    }),
  ),
  /** Bitcoin: unspent outputs that no file can spend, and those worth less than their fee. */
  unusable: z.object({
    imported: z.number().int(),
    otherKeys: z.number().int(),
    small: z.number().int(),
    spent: z.number().int(),
  }),
})
export type BatchPlan = z.infer<typeof planSchema>

const BATCHES = '/api/v1/admin/batches'
const params = z.object({ id: idSchema })

export const previewBatch = {
  method: 'POST',
  path: `${BATCHES}/preview`,
  access: 'staff',
  withoutStepUp: 'Reads alone: nothing is written.',
  summary:
    'Show the batch that would be made: rate, fee, change, what is paid, and what is left out and why',
  payload: asked,
  body: planSchema,
} as const satisfies Endpoint

export const makeBatch = {
  method: 'POST',
  path: BATCHES,
  access: 'staff',
  stepUp: true,
  summary: `Make a batch of at most ${BATCH_SIZE} approved withdrawals and reserved loans of one network, or of coins to collect: a file that is signed outside. Pays nothing. outOfOrderReason says why older withdrawals are not in it, and is recorded`,
  payload: asked.extend({ outOfOrderReason }),
  narration: ({ state }: { readonly state: BatchState }): string =>
    state === 'WAITING'
      ? 'Batch made. Another member of staff must approve it.'
      : 'Batch made. Its file can be signed.',
  body: z.object({ id: idSchema, state: z.enum(batchStates), digest: z.string() }),
} as const satisfies Endpoint

export const batchAddresses = {
  method: 'GET',
  path: `${BATCHES}/addresses`,
  access: 'staff',
  summary: 'List the addresses of the pool that can pay a batch or receive collected coins',
  body: z.array(
    z.object({
      network: z.string(),
      address: z.string(),
      kind: z.enum(['COLD', 'SAFE', 'PAYER']),
    }),
  ),
} as const satisfies Endpoint
export type BatchAddress = z.infer<typeof batchAddresses.body>[number]

const listedSchema = z.object({
  id: idSchema,
  kind: z.enum(batchKinds),
  format: z.enum(batchFormats),
  state: z.enum(batchStates),
  network: z.string(),
  coin: z.string(),
  total: amountSchema,
  payouts: z.number().int(),
  madeAt: timestampSchema,
  /** An email. Null of a closed account. */
  madeBy: z.string().nullable(),
})
export type ListedBatch = z.infer<typeof listedSchema>

export const listBatches = {
  method: 'GET',
  path: BATCHES,
  access: 'staff',
  summary: `List the newest ${BATCHES_SIZE} batches`,
  body: z.array(listedSchema),
} as const satisfies Endpoint

const batchSchema = z.object({
  id: idSchema,
  state: z.enum(batchStates),
  ...shared,
  /** SHA-256 of the file, in hex. */
  digest: z.string(),
  madeAt: timestampSchema,
  madeById: idSchema,
  madeBy: z.string().nullable(),
  approvedAt: timestampSchema.nullable(),
  approvedBy: z.string().nullable(),
  completedAt: timestampSchema.nullable(),
  givenUpAt: timestampSchema.nullable(),
  givenUpBy: z.string().nullable(),
  /** The person who last gave the signed file back to be sent. */
  sentAt: timestampSchema.nullable(),
  sentBy: z.string().nullable(),
  reason: z.string().nullable(),
  /**
   * True while a signed copy of the file could still be executed: of a batch that was given up, no
   * input is spent and the nonce is not used, as far as the node was read.
   */
  isAlive: z.boolean(),
  payouts: z.array(
    plannedPayout.extend({
      /** The investor of a withdrawal, and the borrower of a loan. */
      userEmail: z.string().nullable(),
      borrower: z.string().nullable(),
      /** The status of the withdrawal or the loan. */
      status: z.string().nullable(),
      /** As evidence names it: the transaction and its output. Null while none pays. */
      evidence: z.string().nullable(),
    }),
  ),
})
export type Batch = z.infer<typeof batchSchema>

export const readBatch = {
  method: 'GET',
  path: `${BATCHES}/{id}`,
  access: 'staff',
  summary: 'Show a batch: its state, rate, fee, people, and what the chain shows of each payout',
  params,
  body: batchSchema,
} as const satisfies Endpoint

export const batchFile = {
  method: 'GET',
  path: `${BATCHES}/{id}/file`,
  access: 'staff',
  summary:
    'The file of a batch that is ready to sign: a PSBT in base 64, a Safe transaction builder file, or a CSV. Each reading is recorded',
  params,
  body: z.object({
    format: z.enum(batchFormats),
    name: z.string(),
    /** The whole file. */
    text: z.string(),
    /** SHA-256 of the text, in hex. */
    digest: z.string(),
  }),
} as const satisfies Endpoint
export type BatchFile = z.infer<typeof batchFile.body>

/** Characters of a signed file. A finished transaction is far below that. */
export const MOST_SIGNED = 1_000_000

const signedPayload = z.object({ text: z.string().min(1).max(MOST_SIGNED) })

/** The lines of a comparison. Those after `rest` are of EVM networks alone. */
export const comparedLines = [
  'payment',
  'change',
  'fee',
  'coin',
  'other',
  'rest',
  'chain',
  'payer',
  'token',
  'call',
  'nonce',
  'gas',
] as const
const comparedSchema = z.object({
  /** The id that the network gives it. Ids of several have spaces between them. */
  transaction: z.string(),
  /** True where all but the signatures is as the file of the batch has it. */
  isSame: z.boolean(),
  /**
   * Each payment, the change, the fee, and each coin that only one of the two spends. Of EVM
   * networks also each fact that could differ, and the expected fee is the bound below the found.
   */
  lines: z.array(
    z.object({
      what: z.enum(comparedLines),
      /** An address, or an output that is spent. Null for the fee and for the rest. */
      of: z.string().nullable(),
      /** In whole coins, or the fact itself. Null where the batch has none. */
      expected: amountSchema.nullable(),
      /** Null where the signed transaction has none. */
      found: amountSchema.nullable(),
    }),
  ),
})
export type ComparedBatch = z.infer<typeof comparedSchema>

export const compareSigned = {
  method: 'POST',
  path: `${BATCHES}/{id}/signed/compare`,
  access: 'staff',
  withoutStepUp: 'Reads alone: nothing is written, and nothing is sent.',
  summary:
    'Compare a signed file with its batch, payee by payee. Takes a signed PSBT of Bitcoin or its raw transaction in hex, and of EVM networks the raw transaction that executes a Safe, or those of a plain key',
  params,
  payload: signedPayload,
  body: comparedSchema,
} as const satisfies Endpoint

export const sendSigned = {
  method: 'POST',
  path: `${BATCHES}/{id}/signed`,
  access: 'staff',
  stepUp: true,
  summary:
    'Send a signed file by the node of the network. Refused unless it is the transaction of the batch. A repeat sends it once',
  params,
  payload: signedPayload,
  narration: 'Sent. This page follows it.',
  body: z.object({ transaction: z.string() }),
} as const satisfies Endpoint

export const approveBatch = {
  method: 'POST',
  path: `${BATCHES}/{id}/approve`,
  access: 'staff',
  stepUp: true,
  summary: 'Approve a batch that waits for a second person, by the digest of its file',
  params,
  payload: z.object({ digest: z.string().regex(/^[0-9a-f]{64}$/) }),
  narration: 'Approved. The file can be signed.',
  body: z.null(),
} as const satisfies Endpoint

export const giveUpBatch = {
  method: 'POST',
  path: `${BATCHES}/{id}/give-up`,
  access: 'staff',
  stepUp: true,
  summary:
    'Give up a batch of which nothing is on the chain, or of which each payee got other units and another person settled these alarms. Its withdrawals and loans are to be sent again, and its coins are free',
  params,
  payload: z.object({ reason: textSchema().min(1, validation.reasonRequired) }),
  narration: 'Given up. What it was to pay is to be sent again.',
  body: z.null(),
} as const satisfies Endpoint
