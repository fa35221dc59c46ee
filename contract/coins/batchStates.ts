/** The states of batches (docs/product.md 5.22), apart from their calls. */
export const batchStates = ['WAITING', 'READY', 'SEEN', 'COMPLETED', 'GIVEN_UP'] as const
export type BatchState = (typeof batchStates)[number]

/** True while its file may be signed at any moment, and the network shows nothing of it. */
export const mayBeSigned = (state: BatchState | null | undefined): boolean =>
  state === 'WAITING' || state === 'READY'
