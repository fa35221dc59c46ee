import { type NetworkName, type NetworkRecord, networks } from '@pool/contract/base/networks'

/** The network that a text means by any of its usual names. */
export const networkOf = (text: string): (NetworkRecord & { name: NetworkName }) | undefined => {
  const words = text.toLowerCase().split(/[^a-z0-9]+/)
  return networks.find((network) => words.some((word) => network.words.includes(word)))
}
