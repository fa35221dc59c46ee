import type { Asset } from '@pool/contract/base/assets'
import type { PaidNetwork } from '@pool/contract/chain/paidNetworks'
import { networkOf } from './networkOf.ts'
import { paidNetwork } from './paidNetwork.ts'

/** The coins that a payment link asks for. */
export type RequestedPayment = {
  readonly coin: string
  /** Decimal text. */
  readonly amount: string
  /** The same in smallest units. */
  readonly units: string
}

type Target = { readonly address: string; readonly asked: RequestedPayment; readonly asset: Asset }

/** Links with an amount: BIP 21, EIP 681 and Solana Pay. */
const withAmount = {
  bitcoin: ({ address, asked }: Target) => `bitcoin:${address}?amount=${asked.amount}`,
  solana: ({ address, asked, asset }: Target) =>
    `solana:${address}?amount=${asked.amount}${asset.token ? `&spl-token=${asset.token}` : ''}`,
} as const

const ethereumLink = ({ address, asked, asset }: Target, chainId: number | null): string =>
  asset.token
    ? `ethereum:${asset.token}@${chainId}/transfer?address=${address}&uint256=${asked.units}`
    : `ethereum:${address}@${chainId}?value=${asked.units}`

/**
 * The link for a wallet app. Null for a network whose chain is unknown, where an app would send
 * real coins. Without coins it names no amount, as a balance is in dollars.
 */
export const paymentLink = (
  network: string,
  address: string,
  asked?: RequestedPayment,
  paidOf: (name: string) => PaidNetwork = paidNetwork,
): string | null => {
  const known = networkOf(network)
  if (!known) return null
  const { assets, link } = paidOf(known.name)
  if (!link) return null
  const asset = asked && assets.find(({ coin }) => coin === asked.coin)
  const target = asked && asset && { address, asked, asset }
  if (known.family === 'ethereum')
    return target ? ethereumLink(target, link.chainId) : `ethereum:${address}@${link.chainId}`
  return target ? withAmount[known.family](target) : `${known.family}:${address}`
}
