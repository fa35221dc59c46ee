/** Live mode rejects addresses of test networks. */
export type Mode = 'sandbox' | 'live'

/** The rules of a family of networks. */
export type Chain = {
  /** Decimals of its coin. */
  readonly decimals: number
  /** True for an address by form and checksum. */
  readonly isAddress: (address: string, mode: Mode) => boolean
  /** Canonical form of a transaction id, so that case cannot hide a repeat. */
  readonly transactionId: (text: string) => string | undefined
  /** A new address with a valid checksum and an unknown key, for play and tests. */
  readonly randomAddress: () => string
  /** A new transaction id, for play. */
  readonly randomTransactionId: () => string
}

const HASH = /^[0-9a-f]{64}$/

/** 64 hexadecimal digits after a prefix, of which 0x may be missing or too much. */
export const hashAfter =
  (prefix: string): Chain['transactionId'] =>
  (text) => {
    const digits = text.toLowerCase().replace(/^0x/, '')
    return HASH.test(digits) ? prefix + digits : undefined
  }
