import { RATE_DECIMALS, type Rate } from '@pool/contract/chain/rates'

type Coins = { readonly units: bigint; readonly decimals: number; readonly rate: Rate }

const scaleOf = (decimals: number): bigint => 10n ** BigInt(decimals + RATE_DECIMALS - 2)

/** Cents of units at a rate, half a cent rounded up. Units may be below zero. */
export const centsOf = ({ units, decimals, rate }: Coins): bigint => {
  const scale = scaleOf(decimals)
  const worth = (units < 0n ? -units : units) * rate
  const cents = (2n * worth + scale) / (2n * scale)
  return units < 0n ? -cents : cents
}

/** Cents of units at a rate, each part of a cent rounded up. */
export const centsRoundedUp = ({ units, decimals, rate }: Coins): bigint => {
  const scale = scaleOf(decimals)
  return (units * rate + scale - 1n) / scale
}
