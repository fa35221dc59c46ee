/** The pool's own coins: its addresses, and the double entry of each coin in units. */
import { z } from 'zod'
import { type Endpoint, idSchema } from '../base/endpoint.ts'
import { timestampSchema } from '../base/timestamp.ts'

/** Accounts of the coin movements that are addresses of ours, by their class. */
export const ownAccounts = ['deposit', 'change', 'cold', 'safe', 'payer'] as const
export type OwnAccount = (typeof ownAccounts)[number]

/** Accounts that stand for the outside. */
export const outsideAccounts = [
  'investors',
  'funding',
  'payouts',
  'network',
  'converted',
  'unseen',
  'unexplained',
  'settled',
  'opening',
] as const
export type CoinAccount = OwnAccount | (typeof outsideAccounts)[number]

export const coinMovementKinds = [
  'RECEIVED',
  'SENT',
  'SWEPT',
  'FEE',
  'GAS',
  'CONVERTED',
  'UNSEEN',
  'UNEXPLAINED',
  'SETTLED',
  'OPENING',
] as const
export type CoinMovementKind = (typeof coinMovementKinds)[number]

/** Classes of addresses that two super admins name. */
export const namedClasses = ['COLD', 'SAFE', 'PAYER'] as const
export type NamedClass = (typeof namedClasses)[number]

/** Most addresses and movements in a list. */
export const CUSTODY_SIZE = 100

const ownAddressSchema = z.object({
  id: idSchema,
  network: z.string(),
  address: z.string(),
  class: z.enum(['CHANGE', ...namedClasses]),
  createdAt: timestampSchema,
})
export type OwnAddress = z.infer<typeof ownAddressSchema>

export const listOwnAddresses = {
  method: 'GET',
  path: '/api/v1/admin/own-addresses',
  access: 'staff',
  summary: `List the pool's own addresses that no investor pays to, the ${CUSTODY_SIZE} newest, those that two people named first`,
  body: z.array(ownAddressSchema),
} as const satisfies Endpoint

const coinMovementSchema = z.object({
  id: idSchema,
  at: timestampSchema,
  network: z.string(),
  /** The transaction on the chain. Null for an opening balance and coins that arrived unseen. */
  transaction: z.string().nullable(),
  asset: z.string(),
  /** In whole coins, as exact decimals. */
  amount: z.string(),
  kind: z.enum(coinMovementKinds),
  from: z.enum([...ownAccounts, ...outsideAccounts]),
  to: z.enum([...ownAccounts, ...outsideAccounts]),
  /** True for the opposite of a movement whose cause is gone or changed. */
  isTakenBack: z.boolean(),
})
export type CoinMovementRow = z.infer<typeof coinMovementSchema>

export const listCoinMovements = {
  method: 'GET',
  path: '/api/v1/admin/coin-movements',
  access: 'staff',
  summary: `List the ${CUSTODY_SIZE} newest movements of coins in units`,
  body: z.array(coinMovementSchema),
} as const satisfies Endpoint
