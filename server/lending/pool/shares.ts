import { cents, dollarsFromCents } from '@pool/contract/base/money'

/** A part in basis points of the whole, rounded half up. Null of nothing. */
export const shareOf = (part: bigint, whole: bigint): number | null =>
  whole === 0n ? null : Number((part * 20_000n + whole) / (whole * 2n))

export const dollars = (amount: bigint): number => dollarsFromCents(cents(amount))
