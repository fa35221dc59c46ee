import { z } from 'zod'
import { coins } from '../base/assets.ts'
import { type Endpoint, idSchema } from '../base/endpoint.ts'
import { amountSchema, textSchema } from '../base/fields.ts'
import { dollarsSchema, OPEN_DEPOSITS_LIMIT, OPEN_WITHDRAWALS_LIMIT } from '../base/money.ts'
import * as validation from '../base/validation.ts'
import { quoteSchema } from '../chain/quotes.ts'
import { decidedSchema } from './decisions.ts'

/** The destination of a withdrawal that names none (docs/product.md 5.8). */
export const DEFAULT_DESTINATION = 'Default Address'

type Destined = {
  readonly destinationAddress?: string | undefined
  readonly description?: string | undefined
}

/** The destination of a withdrawal: the address, else the description, else the default. */
export const destinationOf = ({ destinationAddress, description }: Destined): string =>
  destinationAddress?.trim() || description?.trim() || DEFAULT_DESTINATION

/** The reason on record for a request that its investor cancelled. */
export const CANCELLED = 'Cancelled by the investor'

export const deposit = {
  method: 'POST',
  path: '/api/v1/public/transaction/deposit',
  access: 'user',
  summary: `Ask to deposit. Answers with the wallet to pay to, and where a rate of the coin counts with a quote: the coins to send. At most ${OPEN_DEPOSITS_LIMIT} deposits of an account may wait for confirmation`,
  payload: z.object({
    userId: idSchema,
    amount: amountSchema,
    /** The network of a first wallet. Without one, the oldest available wallet is given. */
    networkName: textSchema().optional(),
    /** The coin to quote. Without one it is the only coin of the network, if it has one. */
    coin: z.enum(coins, { error: () => validation.filterInvalid }).optional(),
    description: textSchema().optional(),
  }),
  body: z.object({
    address: z.string(),
    networkName: z.string(),
    transactionId: idSchema,
    amount: dollarsSchema,
    /** The coins to send, where a rate counts. */
    quote: quoteSchema.optional(),
  }),
  movesMoney: true,
} as const satisfies Endpoint

export const withdraw = {
  method: 'POST',
  path: '/api/v1/public/transaction/withdraw',
  access: 'user',
  stepUp: true,
  summary: `Ask to withdraw. The amount is held at once and waits for approval. Live mode needs an address, and its network if it fits several. Where the network's fee is above what the pool bears, it is refused with the investor's share (networkFeeChanged) until networkFee names it; the share is then taken out of the amount. At most ${OPEN_WITHDRAWALS_LIMIT} of a person may wait to be sent`,
  payload: z.object({
    userId: idSchema,
    /** At least $10.00, but to the last cent while the pool winds down. */
    amount: amountSchema,
    destinationAddress: textSchema().optional(),
    /**
     * The destination must be an address of this network. Live mode requires it for an address that
     * fits several.
     */
    networkName: textSchema().optional(),
    /** The dollars of the network's fee that the investor bears, as a refusal named them. */
    networkFee: amountSchema.optional(),
    description: textSchema().optional(),
  }),
  body: z.object({
    transactionId: idSchema,
    /** The dollars that are sent, without the share of the network's fee. */
    amount: dollarsSchema,
    networkFee: dollarsSchema.optional(),
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
    "Check the destination of a withdrawal: the networks that it is an address of, and if it is a deposit address of the caller's",
  payload: z.object({ destination: textSchema() }),
  body: z.object({ networks: z.array(z.string()), isPoolWallet: z.boolean() }),
} as const satisfies Endpoint
export type CheckedDestination = z.infer<typeof checkDestination.body>

export const cancel = {
  method: 'POST',
  path: '/api/v1/transaction/{id}/cancel',
  access: 'user',
  whileFrozen: true,
  summary:
    "Cancel the caller's own pending deposit or withdrawal, unless the product opened it for coins that came. A held amount can be spent again",
  params: z.object({ id: idSchema }),
  payload: z.object({}),
  body: decidedSchema,
  movesMoney: true,
} as const satisfies Endpoint
