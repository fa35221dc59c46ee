/**
 * Networks whose addresses and transaction ids follow the same rules, which `server/base/chains/`
 * has. It is the scheme of a payment link, too (BIP 21, EIP 681, Solana Pay).
 */
export type Family = 'bitcoin' | 'ethereum' | 'solana'

/** Everything about a network that does not follow from its family. */
export type NetworkRecord = {
  readonly name: string
  readonly symbol: string
  readonly displayName: string
  /** Words of its usual names, in lower case. The first one is its id on screens. */
  readonly words: readonly [string, ...string[]]
  /** The host of its block explorer. */
  readonly explorer: string
} & (
  | { readonly family: Exclude<Family, 'ethereum'> }
  | {
      readonly family: 'ethereum'
      /** Tells its networks apart in a payment link (EIP 155). */
      readonly chainId: number
    }
)

const table = [
  {
    name: 'Bitcoin',
    symbol: 'BTC',
    displayName: 'Bitcoin (BTC)',
    words: ['bitcoin', 'btc'],
    explorer: 'mempool.space',
    family: 'bitcoin',
  },
  {
    name: 'Ethereum',
    symbol: 'ETH',
    displayName: 'Ethereum (ETH)',
    words: ['ethereum', 'eth'],
    explorer: 'etherscan.io',
    family: 'ethereum',
    chainId: 1,
  },
  {
    name: 'Binance Smart Chain',
    symbol: 'BSC',
    displayName: 'Binance Smart Chain (BSC)',
    words: ['binance', 'bnb', 'bsc'],
    explorer: 'bscscan.com',
    family: 'ethereum',
    chainId: 56,
  },
  {
    name: 'Polygon',
    symbol: 'MATIC',
    displayName: 'Polygon (MATIC)',
    words: ['polygon', 'matic'],
    explorer: 'polygonscan.com',
    family: 'ethereum',
    chainId: 137,
  },
  {
    name: 'Solana',
    symbol: 'SOL',
    displayName: 'Solana (SOL)',
    words: ['solana', 'sol'],
    explorer: 'explorer.solana.com',
    family: 'solana',
  },
] as const satisfies readonly NetworkRecord[]

export type NetworkName = (typeof table)[number]['name']

/** The networks of wallets, one record each (docs/product.md 7.1). */
export const networks: readonly (NetworkRecord & { readonly name: NetworkName })[] = table
