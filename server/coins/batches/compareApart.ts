import { Refusal, refusal } from '@pool/contract/base/refusals'
import { openThread, PassedBound } from '../../base/process/thread.ts'
import type { SignedBatch } from './signedBitcoin.ts'
import type { EvmBatch } from './signedEvm.ts'

const bounds = { mostMs: 10_000, mostMegabytes: 256 }
const bitcoin = openThread<typeof import('./signedBitcoin.ts')>(
  new URL('./signedBitcoin.ts', import.meta.url),
  bounds,
  [Refusal],
)
const evm = openThread<typeof import('./signedEvm.ts')>(
  new URL('./signedEvm.ts', import.meta.url),
  bounds,
  [Refusal],
)

/** A file beyond the bounds of its thread is none that a signer makes. */
const asUnreadable = async <T>(comparing: Promise<T>): Promise<T> => {
  try {
    return await comparing
  } catch (error) {
    throw error instanceof PassedBound ? refusal('signedUnreadable') : error
  }
}

/** Compares a file in a thread, as `compareBitcoin` does. Throws `signedUnreadable`. */
export const compareBitcoinApart = (batch: SignedBatch, text: string) =>
  asUnreadable(bitcoin.call('compareBitcoin', batch, text))

/** Compares a file in a thread, as `compareEvm` does. Throws `signedUnreadable`. */
export const compareEvmApart = (batch: EvmBatch, text: string) =>
  asUnreadable(evm.call('compareEvm', batch, text))
