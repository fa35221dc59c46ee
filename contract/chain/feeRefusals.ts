/** The refusals of shares of a network's fee, a part of contract/base/refusals.ts. */
import { formatDollars } from '../base/money.ts'

/** Dollars: a network's fee of one payment now, the pool's part of it, and the investor's. */
export type FeeShared = { readonly fee: number; readonly borne: number; readonly share: number }

export type FeeRefusalDetails = {
  readonly networkFeeChanged: FeeShared
  readonly networkFeeAboveAmount: FeeShared
}

const feeSentence = ({ fee, borne, share }: FeeShared): string =>
  `The network's fee is about ${formatDollars(fee)} now. The pool bears ${formatDollars(borne)} of it, and you bear ${formatDollars(share)}`

const NONE =
  "The pool bears the network's fee of this payment now, and you bear nothing of it. Nothing was recorded. Please ask again without it."

export const feeRefusals = {
  /** A share of zero is none that is due. */
  networkFeeChanged: {
    status: 409,
    narration: (shared: FeeShared): string =>
      shared.share === 0
        ? NONE
        : `${feeSentence(shared)}, out of the amount. Nothing was recorded. Please ask again to agree.`,
  },
  networkFeeAboveAmount: {
    status: 409,
    narration: (shared: FeeShared): string =>
      `${feeSentence(shared)}, which is the whole amount. Nothing was recorded. Please ask for more, for another network, or later.`,
  },
}
