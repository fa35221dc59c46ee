import type { NetworkName } from '@pool/contract/networks'
import { chainOf } from '../chains/networks.ts'
import type { ChainSettings } from '../chainsFile.ts'
import { confirmedBy } from './follow.ts'
import type { Head, Node, Payment } from './node.ts'

/** A payment as a row has it, with its block. */
type Written = Pick<Payment, 'transaction' | 'output' | 'address' | 'asset' | 'decimals'> & {
  readonly units: string
  readonly height: number
  readonly hash: string
}

/**
 * Asks the node itself whether a block has a payment, deep enough, since a row proves nothing. The
 * function throws a `NodeFault` when the node cannot be used.
 */
export const openProof = (settings: ChainSettings, node: Node) => {
  let head: Promise<Head> | undefined
  const look = async (): Promise<Head> => {
    await node.check()
    return node.head()
  }
  return async (payment: Written): Promise<boolean> => {
    head ??= look()
    const { height } = await head
    const { upTo, coinbaseUpTo } = confirmedBy(settings, height, await head)
    if (payment.height > upTo) return false
    const receivers = new Map([[nameOf(settings.network, payment.address), payment.address]])
    const block = await node.block(payment.height, { receivers, inputs: new Set() })
    if (block?.hash !== payment.hash) return false
    const shown = block.payments.find((each) => isSame(each, payment))
    return shown !== undefined && (!shown.isCoinbase || payment.height <= coinbaseUpTo)
  }
}

const nameOf = (network: NetworkName, address: string): string => chainOf(network).receiver(address)

const isSame = (shown: Payment, { units, ...payment }: Written): boolean =>
  String(shown.units) === units &&
  (['transaction', 'output', 'address', 'asset', 'decimals'] as const).every(
    (field) => shown[field] === payment[field],
  )
