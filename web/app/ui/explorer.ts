import { networkOf } from './networkOf.ts'

/** The URL of a transaction on its network's explorer. Undefined for an unknown network. */
export const transactionUrl = (network: string, id: string): string | undefined => {
  const explorer = networkOf(network)?.explorer
  return explorer && `https://${explorer}/tx/${encodeURIComponent(id.replace(/:.*/, ''))}`
}

/** The URL of an address on its network's explorer. Undefined for an unknown network. */
export const addressUrl = (network: string, address: string): string | undefined => {
  const explorer = networkOf(network)?.explorer
  return explorer && `https://${explorer}/address/${encodeURIComponent(address)}`
}
