/** A batch that could be made now. */
import type { Cents } from '@pool/contract/base/money'
import type { NetworkName } from '@pool/contract/base/networks'
import { refusal } from '@pool/contract/base/refusals'
import { textOfUnits } from '@pool/contract/chain/quotes'
import { type CountingRate, RATE_DECIMALS } from '@pool/contract/chain/rates'
import { type BatchLeftOut, FEE_RATE_DECIMALS } from '@pool/contract/coins/batches'

export type PlannedPayout = {
  /** At most one of these two. Both are null where it pays an address of the pool. */
  readonly withdrawalId: string | null
  readonly loanId: string | null
  readonly address: string
  readonly units: bigint
  /** Null of a collection. */
  readonly amount: Cents | null
  /** The cents of the network's fee that its investor bears. */
  readonly share: Cents
}

/** The withdrawal or loan that is paid. Its earlier batches count, whenever it was reserved. */
export const orderOf = ({ withdrawalId, loanId }: Pick<PlannedPayout, 'withdrawalId' | 'loanId'>) =>
  withdrawalId ?? loanId ?? ''

export type LeftOut = Pick<PlannedPayout, 'withdrawalId' | 'loanId'> & {
  readonly why: BatchLeftOut
}

/** The refusal of a batch that would pay nothing, with the reasons. */
export const nothingToPay = (leftOut: readonly LeftOut[]) =>
  refusal('batchImpossible', { problem: 'empty', leftOut: leftOut.map(({ why }) => why) })

export type PlannedInput = {
  /** The output, or on EVM networks the address and the coin. */
  readonly input: string
  readonly address: string
  readonly units: bigint
}

export type Change = {
  readonly units: bigint
  readonly address: string
  readonly keyId: string
  readonly index: number
}

export type Unusable = {
  readonly imported: number
  readonly otherKeys: number
  readonly small: number
  readonly spent: number
}

/** The gas of the transactions of a file, and the wei for a unit of it as the node pays now. */
export type Gas = { readonly used: bigint; readonly price: bigint }

export type Plan = {
  readonly kind: 'PAYOUT' | 'COLLECTION'
  readonly format: 'PSBT' | 'SAFE' | 'CSV'
  readonly network: NetworkName
  readonly coin: string
  readonly decimals: number
  readonly rate: CountingRate
  /** Bitcoin: thousandths of a satoshi for a virtual byte. */
  readonly feeRate: bigint | null
  readonly feeUnits: bigint | null
  /** Of EVM networks. */
  readonly gas: Gas | null
  /** The dollars of the network's fee, rounded up. Null where its coin has no rate that counts. */
  readonly fee: Cents | null
  readonly change: Change | null
  readonly inputs: readonly PlannedInput[]
  readonly signer: string | null
  readonly payer: string | null
  readonly nonce: number | null
  readonly safeHash: string | null
  readonly payouts: readonly PlannedPayout[]
  readonly leftOut: readonly LeftOut[]
  readonly unusable: Unusable
  /** The whole text that is signed. */
  readonly file: string
}

const CENTS = 100n

/** Satoshis for a virtual byte, as decimal text, of a rate in thousandths. */
export const textOfFeeRate = (rate: bigint): string => textOfUnits(rate, FEE_RATE_DECIMALS)

/** The units of a coin that cents are worth at a rate, rounded down. */
export const unitsOf = (amount: Cents, { rate }: Pick<CountingRate, 'rate'>, decimals: number) =>
  (amount * 10n ** BigInt(decimals + RATE_DECIMALS)) / (rate * CENTS)

/** The cents that units are worth at a rate, rounded up. */
export const centsOf = (units: bigint, { rate }: Pick<CountingRate, 'rate'>, decimals: number) => {
  const scale = 10n ** BigInt(decimals + RATE_DECIMALS)
  return ((units * rate * CENTS + scale - 1n) / scale) as Cents
}

export const NOTHING_UNUSABLE: Unusable = { imported: 0, otherKeys: 0, small: 0, spent: 0 }
