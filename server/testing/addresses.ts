import type { NetworkName } from '@pool/contract/wallets'
import { randomAddress } from '../chains/randomAddress.ts'

/** Returns a new address with a valid checksum and an unknown key. */
export const newAddress = (network: NetworkName = 'Bitcoin'): string => randomAddress(network)
