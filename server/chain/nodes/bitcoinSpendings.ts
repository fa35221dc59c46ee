/** Transactions of Bitcoin that spend outputs which paid watched addresses. */
import { bitcoin } from '../../base/chains/bitcoin.ts'
import { coins } from './coins.ts'
import type { Payment, Spending, SpentCoins, Unspent, Watched } from './node.ts'

/** A transaction as the node tells it, with units in place of coins once they are wanted. */
type ReadTransaction = {
  readonly txid: string
  readonly vin: readonly {
    readonly txid?: string | undefined
    readonly vout?: number | undefined
  }[]
  readonly outputs: () => readonly {
    readonly n: number
    readonly units: bigint
    readonly script: string
  }[]
}

const OF_COIN = { asset: coins.Bitcoin, decimals: bitcoin.decimals }

/** Names an output as inputs name it. */
export const outputOf = ({ transaction, output }: Pick<Payment, 'transaction' | 'output'>) =>
  `${transaction}:${output}`

/** The outputs that payments made, by their names. */
export const unspentBy = (payments: readonly Payment[]): Map<string, Unspent> =>
  new Map(payments.map(({ address, units, ...payment }) => [outputOf(payment), { address, units }]))

/**
 * Returns a reader of transactions that spend watched outputs, or some of `fresh`, which payments
 * beside them made. The fee is 0 where an input is not watched, since its units are unknown.
 */
export const spendingReader = (
  { receivers, unspent }: Watched,
  fresh: ReadonlyMap<string, Unspent>,
) => {
  const coinsOf = (input: string): Unspent | undefined => unspent?.get(input) ?? fresh.get(input)
  return ({ txid, vin, outputs }: ReadTransaction): Spending | undefined => {
    if (!unspent) return undefined
    const inputs = vin.flatMap((each) =>
      each.txid === undefined ? [] : `${each.txid}:${each.vout}`,
    )
    const spent: SpentCoins[] = inputs.flatMap((input, position) => {
      const found = coinsOf(input)
      return found ? { position, input, ...found, ...OF_COIN } : []
    })
    if (spent.length === 0) return undefined
    const sent = outputs().map(({ n: output, units, script }) => ({
      output,
      address: receivers.get(script) ?? bitcoin.addressOf(script) ?? null,
      units,
      ...OF_COIN,
    }))
    const sumOf = (all: readonly { readonly units: bigint }[]) =>
      all.reduce((sum, { units }) => sum + units, 0n)
    const fee = spent.length === vin.length ? sumOf(spent) - sumOf(sent) : 0n
    return { transaction: txid, inputs, spent, sent, fee }
  }
}
