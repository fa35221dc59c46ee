/** Live mode rejects addresses of test networks. */
export type Mode = 'sandbox' | 'live'

/** The rules of a family of networks. */
export type Chain = {
  /** Decimals of its coin. */
  readonly decimals: number
  /** True for an address by form and checksum. */
  readonly isAddress: (address: string, mode: Mode) => boolean
  /**
   * False for an address that no secret key controls, or a known one: coins there are lost, or free
   * for all. Takes an address by form only.
   */
  readonly hasOwner: (address: string) => boolean
  /** The deposit address of a compressed public key. Missing where public keys have no children. */
  readonly addressOfKey?: (publicKey: Uint8Array, isTest: boolean) => string
  /** The receiver of coins as a node names it. Takes an address by form only. */
  readonly receiver: (address: string) => string
  /** The address of a receiver. Undefined for a script that no address has. */
  readonly addressOf: (receiver: string) => string | undefined
  /** Canonical form of a transaction id, so that case cannot hide a repeat. */
  readonly transactionId: (text: string) => string | undefined
  /** A new address with a valid checksum and an unknown key, for play and tests. */
  readonly randomAddress: () => string
  /** A new transaction id, for play. */
  readonly randomTransactionId: () => string
}

/** True for a row of 15 equal characters. No search for keys finds such an address. */
export const isMadeUpText = (address: string): boolean => /(.)\1{14}/.test(address)

/** True for at most four different digits. No search for keys finds such a hash of 20 bytes. */
export const isMadeUpHash = (hex: string): boolean => new Set(hex).size <= 4

const HASH = /^[0-9a-f]{64}$/

/** 64 hexadecimal digits after a prefix, of which 0x may be missing or too much. */
export const hashAfter =
  (prefix: string): Chain['transactionId'] =>
  (text) => {
    const digits = text.toLowerCase().replace(/^0x/, '')
    return HASH.test(digits) ? prefix + digits : undefined
  }
