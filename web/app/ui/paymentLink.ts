import { type Asset, assetsOf } from '@pool/contract/assets'
import { networkOf } from './networkOf.ts'

/** The coins that a payment link asks for. */
export type Asked = {
  readonly coin: string
  /** Decimal text. */
  readonly amount: string
  /** The same in smallest units. */
  readonly units: string
}

type Target = { readonly address: string; readonly asked: Asked; readonly asset: Asset }

/** Links with an amount: BIP 21, EIP 681 and Solana Pay. */
const withAmount = {
  bitcoin: ({ address, asked }: Target) => `bitcoin:${address}?amount=${asked.amount}`,
  solana: ({ address, asked, asset }: Target) =>
    `solana:${address}?amount=${asked.amount}${asset.token ? `&spl-token=${asset.token}` : ''}`,
} as const

const ethereumLink = ({ address, asked, asset }: Target, chainId: number): string =>
  asset.token
    ? `ethereum:${asset.token}@${chainId}/transfer?address=${address}&uint256=${asked.units}`
    : `ethereum:${address}@${chainId}?value=${asked.units}`

/**
 * The link for a wallet app, or null for an unknown network. Without coins it names no amount, as
 * a balance is in dollars.
 */
export const paymentLink = (network: string, address: string, asked?: Asked): string | null => {
  const known = networkOf(network)
  if (!known) return null
  const asset = asked && assetsOf(known.name).find(({ coin }) => coin === asked.coin)
  const target = asked && asset && { address, asked, asset }
  if (known.family === 'ethereum')
    return target ? ethereumLink(target, known.chainId) : `ethereum:${address}@${known.chainId}`
  return target ? withAmount[known.family](target) : `${known.family}:${address}`
}
