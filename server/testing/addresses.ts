import type { NetworkName } from '@pool/contract/base/networks'
import { chainOf } from '../base/chains/networks.ts'

/** Returns a new address with a valid checksum and an unknown key. */
export const newAddress = (network: NetworkName = 'Bitcoin'): string =>
  chainOf(network).randomAddress()
