import { type Cents, centsFromDollars } from '@pool/contract/base/money'
import type { Kysely } from 'kysely'
import { chainOf } from '../../base/chains/networks.ts'
import type { ChainSettings } from '../../base/configuration/chainsFile.ts'
import type { Schema } from '../../base/db/schema.ts'
import { confirmedBy } from './follow.ts'
import { type Block, INNER, type Node, type Payment } from './node.ts'
import { requireReached } from './payments.ts'

/** A payment as a row has it. */
type PaymentFacts = Pick<Payment, 'transaction' | 'output' | 'address' | 'asset' | 'decimals'> & {
  readonly units: string
}
type WrittenPayment = PaymentFacts & { readonly height: number; readonly hash: string }

/**
 * Asks the node itself whether blocks have these payments, deep enough for what they are worth: a
 * row proves nothing. Reads each block once. Throws a `NodeFault` when one cannot be read.
 */
export const openProof = async (
  settings: ChainSettings,
  node: Node,
  payments: readonly WrittenPayment[],
): Promise<(payment: WrittenPayment, worth: Cents) => Promise<boolean>> => {
  await node.check()
  const head = await node.head()
  const { upTo, coinbaseUpTo, small } = confirmedBy(settings, head.height, head)
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
  return async (payment, worth) => {
    const isSmall = small !== undefined && worth <= centsFromDollars(small.dollars)
    if (payment.height > (isSmall ? Math.max(small.upTo, upTo) : upTo)) return false
    const block = await blockAt(payment.height)
    const shown = block?.payments.find((each) => isSame(each, payment))
    if (block?.hash !== payment.hash || shown === undefined) return false
    return !shown.isCoinbase || payment.height <= coinbaseUpTo
  }
}

/** The evidence of a credited deposit. Without an output it is all that its address got. */
type Credited = Pick<Payment, 'transaction' | 'address'> & {
  readonly output: number | null
  /** The payment, where it became another one than was credited. */
  readonly changed?: PaymentFacts | undefined
}

/**
 * Asks the node itself whether it has the coins of a credited deposit no more: it knows nothing of
 * the transaction, or has it deep enough without them. Throws a `NodeFault`, also on older files.
 */
export const openAbsence = async (
  db: Kysely<Schema>,
  settings: ChainSettings,
  node: Node,
): Promise<(credited: Credited) => Promise<boolean>> => {
  await node.check()
  const head = await node.head()
  await requireReached(db, settings.network, head)
  const { upTo } = confirmedBy(settings, head.height, head)
  const { receiver } = chainOf(settings.network)
  return async ({ transaction, output, address, changed }) => {
    const found = await node.transaction(transaction)
    if (found.state === 'UNKNOWN') return (await node.findsAll?.()) ?? true
    if (found.state === 'PENDING' || found.height > upTo) return false
    const receivers = new Map([[receiver(address), address]])
    const block = await node.block(found.height, { receivers, inputs: new Set() })
    if (!block) return false
    const shown = block.payments.find(
      (each) => each.transaction === transaction && (output ?? each.output) === each.output,
    )
    return shown === undefined || (changed !== undefined && isSame(shown, changed))
  }
}

const isSame = (shown: Payment, { units, address, ...payment }: PaymentFacts): boolean =>
  String(shown.units) === units &&
  shown.address.toLowerCase() === address.toLowerCase() &&
  (['transaction', 'output', 'asset', 'decimals'] as const).every(
    (field) => shown[field] === payment[field],
  )

/** A confirmed spending as its rows have it. */
export type WrittenSpending = {
  readonly transaction: string
  readonly height: number
  readonly hash: string
  readonly spent: readonly {
    readonly address: string
    readonly input: string | null
    readonly units: string
  }[]
}
/** An output of a spending as a row has it. */
export type WrittenSent = {
  readonly output: number
  readonly address: string
  readonly asset: string
  readonly units: string
}

/**
 * Asks the node itself for the block that has a spending with this output, if it is deep enough.
 * Reads each block once for a spending. Throws a `NodeFault` when one cannot be read.
 */
export const openSpendingProof = async (
  settings: ChainSettings,
  node: Node,
): Promise<
  (spending: WrittenSpending, sent: WrittenSent) => Promise<Pick<Block, 'time'> | undefined>
> => {
  await node.check()
  const head = await node.head()
  const { upTo } = confirmedBy(settings, head.height, head)
  const { receiver } = chainOf(settings.network)
  const blocks = new Map<string, Promise<Block | undefined>>()
  const blockWith = ({ transaction, height, spent }: WrittenSpending) => {
    const receivers = new Map(spent.map(({ address }) => [receiver(address), address]))
    const unspent = new Map(
      spent.map(({ input, address, units }) => [input ?? '', { address, units: BigInt(units) }]),
    )
    const known = blocks.get(transaction)
    const block = known ?? node.block(height, { receivers, inputs: new Set(), unspent })
    blocks.set(transaction, block)
    return block
  }
  return async (spending, { output, address, asset, units }) => {
    if (spending.height > upTo) return undefined
    const block = await blockWith(spending)
    const shown = block?.spendings.find((each) => each.transaction === spending.transaction)
    const sent = shown?.sent.find((each) => each.output === output)
    const isShown =
      block?.hash === spending.hash &&
      sent?.asset === asset &&
      String(sent.units) === units &&
      sent.address !== null &&
      receiver(sent.address) === receiver(address)
    return isShown ? block : undefined
  }
}
