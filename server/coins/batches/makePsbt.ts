import { refusal } from '@pool/contract/base/refusals'
import { openThread, PassedBound } from '../../base/process/thread.ts'
import { NodeFault } from '../../chain/nodes/fault.ts'
import type { AskedPsbt } from './psbtWork.ts'

const thread = openThread<typeof import('./psbtWork.ts')>(
  new URL('./psbtWork.ts', import.meta.url),
  { mostMs: 20_000, mostMegabytes: 512 },
  [NodeFault],
)

/**
 * Makes the file that spends coins, or tells how many of the first coins fit into one. Throws a
 * `NodeFault`, and `batchImpossible` for work beyond its bounds.
 */
export const makePsbt = async (asked: AskedPsbt) => {
  try {
    return await thread.call('psbtOfCoins', asked)
  } catch (error) {
    if (!(error instanceof PassedBound)) throw error
    throw refusal('batchImpossible', { problem: 'fileTooLarge' })
  }
}
