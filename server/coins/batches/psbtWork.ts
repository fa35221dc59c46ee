/** Makes files for signers of Bitcoin, in a thread (docs/decisions/079). */
import { randomInt } from 'node:crypto'
import { accountKeyOf } from '../../base/chains/accountKeys.ts'
import { bitcoin } from '../../base/chains/bitcoin.ts'
import type { Mode } from '../../base/chains/chain.ts'
import type { ChainSettings } from '../../base/configuration/chainsFile.ts'
import { NodeFault } from '../../chain/nodes/fault.ts'
import { readTransactions } from './payingNode.ts'
import { openOutputs, type PaidOutput, placeOf, psbtOf, type SpentOutput } from './psbt.ts'
import type { OwnCoin } from './unspent.ts'

/** Digits of the whole transactions in one file, which are half as many bytes. */
const MOST_DIGITS = 8 * 1_024 * 1_024
/** Transactions that are asked for at once. A standard one has at most 800,000 digits. */
const AT_ONCE = 25

export type AskedPsbt = {
  readonly settings: ChainSettings
  readonly key: { readonly text: string; readonly mode: Mode }
  readonly coins: readonly OwnCoin[]
  readonly outputs: readonly PaidOutput[]
  readonly lockTime: number
}

/**
 * The file that spends coins, or how many of the first coins fit into a file. Throws a `NodeFault`
 * where the node tells of another output than was read.
 */
export const psbtOfCoins = async ({
  settings,
  key,
  coins,
  outputs,
  lockTime,
}: AskedPsbt): Promise<string | { readonly fits: number }> => {
  const account = accountKeyOf('Bitcoin', key.text, key.mode)
  const outputOf = openOutputs()
  const known = new Map<string, string>()
  const inputs: SpentOutput[] = []
  let digits = 0
  for (const [at, coin] of coins.entries()) {
    const id = idOf(coin)
    if (!known.has(id)) {
      const next = coins.slice(at).map(idOf)
      const wanted = [...new Set(next)].filter((each) => !known.has(each)).slice(0, AT_ONCE)
      for (const [found, text] of await readTransactions(settings, wanted)) known.set(found, text)
    }
    const previous = known.get(id) ?? ''
    digits += previous.length
    if (digits > MOST_DIGITS) return { fits: at }
    const { addressAt, changeAt } = account
    const derived = coin.branch === 0 ? addressAt(coin.index) : changeAt(coin.index)
    if (derived !== coin.address)
      throw new Error(`the key does not derive ${coin.address} as its address ${coin.index}`)
    const output = outputOf(coin.input, previous)
    if (output.units !== coin.units || output.script !== bitcoin.receiver(coin.address))
      throw new NodeFault('LYING', `The output ${coin.input} is not the one that was read`)
    inputs.push({ ...coin, previous, place: placeOf(account, coin) })
  }
  return psbtOf(shuffled(inputs), shuffled(outputs), { lockTime, account })
}

/** In an order that tells nothing: neither the largest coin first, nor the change last. */
const shuffled = <Each>(all: readonly Each[]): Each[] => {
  const left = [...all]
  for (let at = left.length - 1; at > 0; at -= 1) {
    const other = randomInt(at + 1)
    const [one, two] = [left[at] as Each, left[other] as Each]
    left[at] = two
    left[other] = one
  }
  return left
}

const idOf = ({ input }: OwnCoin): string => input.split(':')[0] ?? ''
