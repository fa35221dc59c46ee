/** The coins and links of networks in this pool. Pages have them in their configuration. */
import type { Asset } from '../base/assets.ts'

export type PaidNetwork = {
  /** The coins that are taken, the network's own first. */
  readonly assets: readonly Asset[]
  /** The chain of a payment link. Null where none is known, as in a sandbox. */
  readonly link: { readonly chainId: number | null } | null
}

/** By the name of the network. */
export type PaidNetworks = Readonly<Record<string, PaidNetwork>>
