import { chainOf } from '../chains/networks.ts'
import type { ChainSettings } from '../chainsFile.ts'
import { confirmedBy } from './follow.ts'
import { type Block, INNER, type Node, type Payment } from './node.ts'

/** A payment as a row has it, with its block. */
type Written = Pick<Payment, 'transaction' | 'output' | 'address' | 'asset' | 'decimals'> & {
  readonly units: string
  readonly height: number
  readonly hash: string
}

/**
 * Asks the node itself whether blocks have these payments, deep enough, since a row proves nothing.
 * Reads each block once. Throws a `NodeFault` when the node, or later a block, cannot be read.
 */
export const openProof = async (
  settings: ChainSettings,
  node: Node,
  payments: readonly Written[],
): Promise<(payment: Written) => Promise<boolean>> => {
  await node.check()
  const head = await node.head()
  const { upTo, coinbaseUpTo } = confirmedBy(settings, head.height, head)
  const { receiver } = chainOf(settings.network)
  const receivers = new Map(payments.map(({ address }) => [receiver(address), address]))
  const traced = new Set(
    payments.filter(({ output }) => output <= INNER).map(({ height }) => height),
  )
  const blocks = new Map<number, Promise<Block | undefined>>()
  const blockAt = (height: number): Promise<Block | undefined> => {
    const known = blocks.get(height)
    const block =
      known ?? node.block(height, { receivers, inputs: new Set(), skipsInner: !traced.has(height) })
    blocks.set(height, block)
    return block
  }
  return async (payment) => {
    if (payment.height > upTo) return false
    const block = await blockAt(payment.height)
    const shown = block?.payments.find((each) => isSame(each, payment))
    if (block?.hash !== payment.hash || shown === undefined) return false
    return !shown.isCoinbase || payment.height <= coinbaseUpTo
  }
}

const isSame = (shown: Payment, { units, address, ...payment }: Written): boolean =>
  String(shown.units) === units &&
  shown.address.toLowerCase() === address.toLowerCase() &&
  (['transaction', 'output', 'asset', 'decimals'] as const).every(
    (field) => shown[field] === payment[field],
  )
