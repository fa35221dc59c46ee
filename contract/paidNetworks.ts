/** The coins and links of networks in this pool. Pages have them in their configuration. */
import { z } from 'zod'
import { type Asset, coins } from './assets.ts'

export type PaidNetwork = {
  /** The coins that are taken, the network's own first. */
  readonly assets: readonly Asset[]
  /** The chain of a payment link. Null where none is known, as in a sandbox. */
  readonly link: { readonly chainId: number | null } | null
}

export const paidNetworksSchema = z.record(
  z.string(),
  z.object({
    assets: z.array(
      z.object({
        coin: z.enum(coins),
        decimals: z.number().int(),
        token: z.string().exactOptional(),
      }),
    ),
    link: z.object({ chainId: z.number().int().nullable() }).nullable(),
  }),
)
