import { z } from 'zod'
import { type Endpoint, idSchema } from './endpoint.ts'
import { filledSchema } from './fields.ts'
import { listQuery } from './lists.ts'
import { succeeded } from './messages.ts'
import { timestampSchema } from './timestamp.ts'

export const networkSchema = z.object({
  name: z.string(),
  symbol: z.string(),
  displayName: z.string(),
})
export type Network = z.infer<typeof networkSchema>

/** The networks of wallets, and the web app's fallback (docs/product.md 7.1). */
export const networks = [
  { name: 'Bitcoin', symbol: 'BTC', displayName: 'Bitcoin (BTC)' },
  { name: 'Ethereum', symbol: 'ETH', displayName: 'Ethereum (ETH)' },
  { name: 'Binance Smart Chain', symbol: 'BSC', displayName: 'Binance Smart Chain (BSC)' },
  { name: 'Polygon', symbol: 'MATIC', displayName: 'Polygon (MATIC)' },
  { name: 'Solana', symbol: 'SOL', displayName: 'Solana (SOL)' },
] as const satisfies readonly Network[]
export type NetworkName = (typeof networks)[number]['name']

/** The characters of an address at each end of its short form (docs/product.md 13). */
export const ADDRESS_ENDS = 8

export const walletSchema = z.object({
  id: idSchema,
  address: z.string(),
  networkName: z.string(),
  assigned: z.boolean(),
  dateCreated: timestampSchema,
})
export type Wallet = z.infer<typeof walletSchema>

export const listNetworks = {
  method: 'GET',
  path: '/api/v1/public/networks',
  access: 'public',
  summary: 'List the networks of wallets',
  body: z.array(networkSchema),
} as const satisfies Endpoint

export const walletStatuses = ['assigned', 'available'] as const

const lists = {
  sorts: ['createdAt'],
  filters: { status: walletStatuses, network: networks.map(({ name }) => name) },
} as const

/** `search` finds a part of the address or of the network's name, or an id. */
export const listWallets = {
  method: 'GET',
  path: '/api/v1/public/wallets',
  access: 'staff',
  summary: 'List all deposit wallets, newest first by default',
  query: listQuery(lists),
  paged: lists,
  body: z.array(walletSchema),
} as const satisfies Endpoint

export const createWallet = {
  method: 'POST',
  path: '/api/v1/public/wallets/create',
  access: 'staff',
  summary: 'Add a deposit wallet',
  payload: z.object({ address: filledSchema, networkName: filledSchema }),
  narration: succeeded.walletCreated,
  body: walletSchema,
} as const satisfies Endpoint

export const deleteWallet = {
  method: 'DELETE',
  path: '/api/v1/public/wallets/{id}',
  access: 'staff',
  summary: 'Delete a wallet that was never assigned',
  params: z.object({ id: idSchema }),
  narration: succeeded.walletDeleted,
  body: z.object({ id: idSchema }),
} as const satisfies Endpoint
