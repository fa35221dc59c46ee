import type { NetworkName } from '@pool/contract/base/networks'

/** The symbol of a network's own coin. The network's may differ from it. */
export const coins: Readonly<Record<NetworkName, string>> = {
  Bitcoin: 'BTC',
  Ethereum: 'ETH',
  'Binance Smart Chain': 'BNB',
  Polygon: 'POL',
  Solana: 'SOL',
}
