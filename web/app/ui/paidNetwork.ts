import { assetsOf } from '@pool/contract/base/assets'
import type { PaidNetwork, PaidNetworks } from '@pool/contract/chain/paidNetworks'
import { configuration } from '../configuration.ts'

/** A network as the server named it. Without its word no payment link is known. */
export const paidNetwork = (name: string): PaidNetwork => {
  const { paidNetworks } = configuration()
  const isSaid = paidNetworks.startsWith('{')
  const read: PaidNetworks = isSaid ? JSON.parse(paidNetworks) : {}
  return read[name] ?? { assets: assetsOf(name), link: null }
}
