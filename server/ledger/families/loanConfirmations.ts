/** The proof that a node was asked about the coins of a reserved loan, for who posts it later. */
import type { Keys } from '../../base/keys/keys.ts'

/** A reserved loan whose coins a deep block has. */
export type LoanConfirmation = {
  readonly sendingId: string
  readonly transaction: string
  /** Null for the own coin of an EVM network. */
  readonly output: number | null
  /** The facts of the chain, in words. */
  readonly basis: string
  /** The time of the block. Null where the network tells none. */
  readonly minedAt: Date | null
}

const contentOf = (confirmation: LoanConfirmation): string => {
  const { sendingId, transaction, output, basis, minedAt } = confirmation
  return JSON.stringify([sendingId, transaction, output, basis, minedAt?.toISOString() ?? null])
}

/** Signs a confirmation, as who only writes to the database cannot (docs/threats.md T85). */
export const signConfirmation = (keys: Keys, confirmation: LoanConfirmation): string =>
  keys.sign('loan confirmation', contentOf(confirmation))

/** Throws unless the product made the confirmation, by a key that did not leak. */
export const requireOwnConfirmation = (
  keys: Keys,
  confirmation: LoanConfirmation,
  mac: string,
): void => {
  if (keys.verify('loan confirmation', contentOf(confirmation), mac) === 'valid') return
  throw new Error(
    `the confirmation of the reserved loan ${confirmation.sendingId} was not made by this pool's key`,
  )
}
