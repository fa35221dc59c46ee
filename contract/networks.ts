/**
 * Networks whose addresses and transaction ids follow the same rules, which `server/chains/` has.
 * It is the scheme of a payment link, too (BIP 21, EIP 681, Solana Pay).
 */
export type Family = 'bitcoin' | 'ethereum' | 'solana'

/** Everything about a network that does not follow from its family. */
export type NetworkRecord = {
  readonly name: string
  readonly symbol: string
  readonly displayName: string
  /** Words of its usual names, in lower case. The first one is its id on screens. */
  readonly words: readonly [string, ...string[]]
  /** Decimals of its coin. */
  readonly decimals: number
  /** The origin of its block explorer, with a slash. */
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
    decimals: 8,
    explorer: 'https://mempool.space/',
    family: 'bitcoin',
  },
  {
    name: 'Ethereum',
    symbol: 'ETH',
    displayName: 'Ethereum (ETH)',
    words: ['ethereum', 'eth'],
    decimals: 18,
    explorer: 'https://etherscan.io/',
    family: 'ethereum',
    chainId: 1,
  },
  {
    name: 'Binance Smart Chain',
    symbol: 'BSC',
    displayName: 'Binance Smart Chain (BSC)',
    words: ['binance', 'bnb', 'bsc'],
    decimals: 18,
    explorer: 'https://bscscan.com/',
    family: 'ethereum',
    chainId: 56,
  },
  {
    name: 'Polygon',
    symbol: 'MATIC',
    displayName: 'Polygon (MATIC)',
    words: ['polygon', 'matic'],
    decimals: 18,
    explorer: 'https://polygonscan.com/',
    family: 'ethereum',
    chainId: 137,
  },
  {
    name: 'Solana',
    symbol: 'SOL',
    displayName: 'Solana (SOL)',
    words: ['solana', 'sol'],
    decimals: 9,
    explorer: 'https://explorer.solana.com/',
    family: 'solana',
  },
] as const satisfies readonly NetworkRecord[]

export type NetworkName = (typeof table)[number]['name']

/** The networks of wallets, one record each (docs/product.md 7.1). */
export const networks: readonly (NetworkRecord & { readonly name: NetworkName })[] = table
