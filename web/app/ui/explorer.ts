import { networkOf } from './NetworkBadge.tsx'

/** The explorer of each network. */
const explorers: Readonly<Record<string, string>> = {
  bitcoin: 'https://mempool.space/',
  ethereum: 'https://etherscan.io/',
  binance: 'https://bscscan.com/',
  polygon: 'https://polygonscan.com/',
  solana: 'https://explorer.solana.com/',
}

/** The URL of a transaction on its network's explorer. Undefined for an unknown network. */
export const transactionUrl = (network: string, id: string): string | undefined => {
  const explorer = explorers[networkOf(network)]
  return explorer && `${explorer}tx/${encodeURIComponent(id)}`
}

/** The URL of an address on its network's explorer. Undefined for an unknown network. */
export const addressUrl = (network: string, address: string): string | undefined => {
  const explorer = explorers[networkOf(network)]
  return explorer && `${explorer}address/${encodeURIComponent(address)}`
}
