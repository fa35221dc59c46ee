import type { ChainState } from '@pool/contract/chain/chains'

/** States that staff have to look at. */
export type Fault = Exclude<ChainState, 'UNCHECKED' | 'FINE' | 'STOPPED'>

/** A node that cannot be used now, and why. The message has no secret. */
export class NodeFault extends Error {
  readonly state: Fault
  /** The block that could not be read, if it was one. */
  readonly block: number | undefined
  constructor(state: Fault, message: string, block?: number) {
    super(message)
    this.state = state
    this.block = block
  }
}
