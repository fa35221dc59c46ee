import { z } from 'zod'
import { waits as sentences } from '../agreements/staffProposals.ts'
import { coins } from '../base/assets.ts'
import { type Endpoint, idSchema } from '../base/endpoint.ts'
import { filledSchema } from '../base/fields.ts'
import { listQuery, mayLag } from '../base/lists.ts'
import { succeeded } from '../base/messages.ts'
import { networks } from '../base/networks.ts'
import { timestampSchema } from '../base/timestamp.ts'
import * as validation from '../base/validation.ts'

export const networkSchema = z.object({
  name: z.string(),
  symbol: z.string(),
  displayName: z.string(),
})
export type Network = z.infer<typeof networkSchema>

export const networkNames = networks.map(({ name }) => name)

/** The characters of an address at each end of its short form (docs/product.md 13). */
export const ADDRESS_ENDS = 8

export const walletSchema = z.object({
  id: idSchema,
  address: z.string(),
  networkName: z.string(),
  assigned: z.boolean(),
  /** The email of its investor. Staff alone read wallets. */
  owner: z.string().optional(),
  ownerId: idSchema.optional(),
  dateCreated: timestampSchema,
  /** Its address waits for a second member of staff, and investors do not get it. */
  waits: z.literal(true).optional(),
  /** The moment when its address was archived. */
  dateArchived: timestampSchema.optional(),
})
export type Wallet = z.infer<typeof walletSchema>

export const listNetworks = {
  method: 'GET',
  path: '/api/v1/public/networks',
  access: 'public',
  summary: 'List the networks of wallets',
  body: z.array(networkSchema),
} as const satisfies Endpoint

export const depositTerms = {
  method: 'GET',
  path: '/api/v1/user/deposit-terms',
  access: 'user',
  summary:
    'The networks on which the caller can deposit: the one used last first, else one with a quoted coin and a small fee; the usual minutes until a deposit is confirmed, and the coins that are quoted',
  body: z.object({
    networks: z.array(networkSchema),
    /** The median of the last 30 days; null for too few deposits. */
    usualMinutes: z.number().int().nullable(),
    /** The coins whose rate counts now: deposits of them are quoted. */
    quoted: z.array(z.enum(coins)),
  }),
} as const satisfies Endpoint
export type DepositTerms = z.infer<typeof depositTerms.body>

export const walletStatuses = ['assigned', 'available', 'waiting', 'archived'] as const
export type WalletStatus = (typeof walletStatuses)[number]

/** Those of a list that names no status, and of every total. */
export const usualStatuses: readonly WalletStatus[] = ['assigned', 'available']

const lists = {
  sorts: ['createdAt'],
  filters: { status: walletStatuses, network: networkNames },
} as const

/**
 * `search` finds a part of the address or of the network's name, or an id. Waiting and archived
 * wallets are listed only under their status.
 */
export const listWallets = {
  method: 'GET',
  path: '/api/v1/public/wallets',
  access: 'staff',
  summary:
    'List the deposit wallets, newest first by default. Waiting and archived ones are listed only with their status',
  query: listQuery(lists).extend({ mayLag }),
  paged: lists,
  lags: true,
  body: z.array(walletSchema),
} as const satisfies Endpoint

/** The wallets of a network that are in use, and how many of them are available. */
const stockSchema = z.object({
  networkName: z.string(),
  available: z.number().int(),
  total: z.number().int(),
  /** Addresses of its key given since the last one with a confirmed deposit, from 20 on. */
  unpaid: z.number().int().optional(),
})
export type Stock = z.infer<typeof stockSchema>

export const walletStock = {
  method: 'GET',
  path: '/api/v1/public/wallets/stock',
  access: 'staff',
  summary:
    'List the networks that have wallets, with the number of available ones, and of given ones in a row that were not paid',
  body: z.array(stockSchema),
} as const satisfies Endpoint

/** True when staff are warned: a tenth of the wallets or fewer are available, or a single one. */
export const isNearlyOut = ({ available, total }: Pick<Stock, 'available' | 'total'>): boolean =>
  available <= 1 || available * 10 <= total

export const createWallet = {
  method: 'POST',
  path: '/api/v1/public/wallets/create',
  access: 'staff',
  stepUp: true,
  summary:
    'Add a deposit wallet. In live mode its address waits until a second member of staff has compared it, or for 24 hours where there is none',
  payload: z.object({ address: filledSchema, networkName: filledSchema }),
  narration: ({ waits }: { readonly waits?: true | undefined }): string =>
    waits ? sentences.wallet : succeeded.walletCreated,
  body: walletSchema,
} as const satisfies Endpoint

/** The most addresses of a list. */
export const WALLETS_AT_ONCE = 10_000

/**
 * An address of a list that cannot be added: invalid on its network, the same as an earlier line,
 * on record, of an investor who has another address on the network, or of the pool's own.
 */
export type BadLine = {
  /** The place in the list, from 1. */
  readonly line: number
  readonly problem: 'invalid' | 'repeated' | 'exists' | 'ownerHasWallet' | 'own'
  /** The earlier line of a repeated address. */
  readonly sameAs?: number
}

export const createWallets = {
  method: 'POST',
  path: '/api/v1/public/wallets/create-many',
  access: 'staff',
  stepUp: true,
  summary:
    'Add up to 10,000 deposit wallets of a network, all or none. They wait as one wallet does. A refusal names every address at fault by its place in `details.lines`',
  payload: z.object({
    networkName: filledSchema,
    addresses: z
      .array(z.string(validation.addressesRequired), validation.addressesRequired)
      .min(1, validation.addressesRequired)
      .max(WALLETS_AT_ONCE, validation.addressesMaximum),
  }),
  narration: ({ waiting }: { readonly waiting: number }): string =>
    waiting > 0 ? sentences.wallets : succeeded.walletsCreated,
  body: z.object({
    networkName: z.string(),
    added: z.number().int(),
    /** Those that wait for a second member of staff. */
    waiting: z.number().int(),
    /** Those of an investor who has the same address on another network. */
    assigned: z.number().int(),
  }),
} as const satisfies Endpoint

export const deleteWallet = {
  method: 'DELETE',
  path: '/api/v1/public/wallets/{id}',
  access: 'staff',
  stepUp: true,
  summary:
    'Delete a wallet that was never assigned. In live mode, more than a tenth of a stock within 24 hours waits for a second member of staff',
  params: z.object({ id: idSchema }),
  narration: ({ waits }: { readonly waits?: true | undefined }): string =>
    waits ? sentences.removal : succeeded.walletDeleted,
  body: z.object({ id: idSchema, waits: z.literal(true).optional() }),
} as const satisfies Endpoint

export const archiveWallet = {
  method: 'POST',
  path: '/api/v1/public/wallets/{id}/archive',
  access: 'staff',
  stepUp: true,
  summary:
    'Archive the address of an assigned wallet on all of its networks. New deposits get another address, and waiting ones can still be confirmed. Its investor is told by mail. The same call again changes nothing. In live mode, more than a tenth of the assigned wallets within 24 hours waits for a second member of staff',
  params: z.object({ id: idSchema }),
  narration: ({ dateArchived }: { readonly dateArchived?: unknown }): string =>
    dateArchived ? succeeded.walletArchived : sentences.removal,
  body: walletSchema,
} as const satisfies Endpoint

export const restoreWallet = {
  method: 'POST',
  path: '/api/v1/public/wallets/{id}/restore',
  access: 'staff',
  stepUp: true,
  summary:
    'Restore an archived address on all of its networks. Its investor is told by mail. Refused while its investor has another address on one of them',
  params: z.object({ id: idSchema }),
  body: walletSchema,
  narration: succeeded.walletRestored,
} as const satisfies Endpoint
