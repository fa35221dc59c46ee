import { startFakeNode } from './fakeNode.ts'
import { post } from './playNode.ts'

/** A door to a play chain. It breaks the answers about some blocks, and no others. */
export type BlockDoor = {
  readonly url: string
  /** Blocks of which half an answer comes. */
  readonly broken: Set<number>
}

const isBroken = (broken: ReadonlySet<number>, { method, params }: NodeRequest): boolean =>
  // A header comes whole.
  method === 'eth_getBlockByNumber' && params[1] === true && broken.has(Number(params[0]))

type NodeRequest = { readonly method: string; readonly params: readonly unknown[] }

export const openBlockDoor = async (to: string): Promise<BlockDoor> => {
  const broken = new Set<number>()
  const { url } = await startFakeNode(async (asked, response) => {
    const breaks = [asked].flat().some((each) => isBroken(broken, each))
    const whole = await post(to, JSON.stringify(asked)).catch(() => undefined)
    // The chain ends before the door, and a last question of the product fails then.
    if (whole === undefined) response.destroy()
    else response.end(breaks ? whole.slice(0, whole.length / 2) : whole)
  })
  return { url, broken }
}
