/** The coins that each network takes, and what a wallet app needs to send them. */
import type { NetworkName } from './networks.ts'

/** A coin on one network. */
type OnNetwork = {
  /** Decimal places of its smallest unit on the chain. */
  readonly decimals: number
  /** The token's contract or mint. A network's own coin has none. */
  readonly token?: string
}

type CoinRecord = {
  /** Decimal places of the amounts that people type: a unit is worth less than a cent. */
  readonly typed: number
  /** Counts as one dollar while its rate is near it. */
  readonly isDollar?: true
  readonly on: Readonly<Partial<Record<NetworkName, OnNetwork>>>
}

const table = {
  BTC: { typed: 8, on: { Bitcoin: { decimals: 8 } } },
  ETH: { typed: 8, on: { Ethereum: { decimals: 18 } } },
  BNB: { typed: 8, on: { 'Binance Smart Chain': { decimals: 18 } } },
  POL: { typed: 6, on: { Polygon: { decimals: 18 } } },
  SOL: { typed: 6, on: { Solana: { decimals: 9 } } },
  USDC: {
    typed: 6,
    isDollar: true,
    on: {
      Ethereum: { decimals: 6, token: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48' },
      'Binance Smart Chain': { decimals: 18, token: '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d' },
      Polygon: { decimals: 6, token: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359' },
      Solana: { decimals: 6, token: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' },
    },
  },
  USDT: {
    typed: 6,
    isDollar: true,
    on: {
      Ethereum: { decimals: 6, token: '0xdAC17F958D2ee523a2206206994597C13D831ec7' },
      'Binance Smart Chain': { decimals: 18, token: '0x55d398326f99059fF775485246999027B3197955' },
      Polygon: { decimals: 6, token: '0xc2132D05D31c914a87C6611C10748AEb04B58e8F' },
      Solana: { decimals: 6, token: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB' },
    },
  },
} as const satisfies Readonly<Record<string, CoinRecord>>

export type Coin = keyof typeof table
const records: Readonly<Record<Coin, CoinRecord>> = table

/** Every coin by its symbol. */
export const coins = Object.keys(table) as [Coin, ...Coin[]]

/** True for a coin that counts as one dollar while its rate is near it. */
export const isDollar = (coin: Coin): boolean => records[coin].isDollar === true

/** Decimal places of the amounts of a coin that people type. */
export const typedDecimals = (coin: Coin): number => records[coin].typed

/** A coin as one network has it. */
export type Asset = OnNetwork & { readonly coin: Coin }

/** The coins that a network takes, its own first. None for an unknown network. */
export const assetsOf = (networkName: string): readonly Asset[] =>
  coins.flatMap((coin) => {
    const found = Object.entries(records[coin].on).find(([name]) => name === networkName)
    return found ? [{ coin, ...found[1] }] : []
  })
