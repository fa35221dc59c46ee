/** Collects coins of deposit addresses, as the product's CSV says. */
import type { HDKey } from '@scure/bip32'
import { unitsFrom } from '../page/amounts.ts'
import { PageError } from '../page/servePage.ts'
import type { EvmCall } from './evmTransaction.ts'
import { readCsv } from './files.ts'
import { DEPOSIT_PATH, evmAddressOf } from './keys.ts'

const HEADINGS = ['from', 'to', 'token_address', 'amount', 'gas', 'lacks']
/** Deposit addresses that the signer looks for. */
const LOOKED_AT = 200

export type Publish = (key: HDKey, from: string, call: EvmCall, most?: bigint) => Promise<string>

type CollectingTools = {
  readonly callOf: (contract: string, receiver: string, amount: string) => EvmCall
  /** Wei of an address. */
  readonly balanceOf: (address: string) => Promise<bigint>
  readonly payGas: (to: string, wei: bigint) => Promise<string>
  readonly publish: Publish
}

/** An address to collect from, its key, and the wei that its call may take. */
type Collected = {
  readonly from: string
  readonly key: HDKey
  readonly gas: bigint
  readonly call: EvmCall
}

/** Reads and executes files that collect coins, with the keys of deposits. */
export const openCollecting = (
  root: HDKey,
  { callOf, balanceOf, payGas, publish }: CollectingTools,
) => {
  const branch = root.derive(DEPOSIT_PATH).deriveChild(0)
  const keyOf = new Map(
    Array.from({ length: LOOKED_AT }, (_, index) => {
      const key = branch.deriveChild(index)
      return [evmAddressOf(key), key]
    }),
  )
  return {
    /** Its lines. Undefined for another file. */
    linesOf: (text: string): Collected[] | undefined =>
      readCsv(text, HEADINGS)?.map((line) => {
        const { from = '', to = '', token_address = '', amount = '', gas = '' } = line
        const key = keyOf.get(from.toLowerCase())
        if (!key) throw new PageError(`The signer has no key of ${from}.`)
        return { from, key, gas: unitsFrom(gas, 18), call: callOf(token_address, to, amount) }
      }),
    /** Collects once each address has its gas. Else it sends the gas, which needs a block. */
    collect: async (collected: readonly Collected[]): Promise<string> => {
      const ids: string[] = []
      for (const { from, gas, call } of collected) {
        const lacks = gas + call.value - (await balanceOf(from))
        if (lacks > 0n) ids.push(await payGas(from, lacks))
      }
      if (ids.length > 0)
        return `Sent coins for gas in ${ids.join(', ')}. Add a block, then sign the file again.`
      for (const { from, key, gas, call } of collected)
        ids.push(await publish(key, from, call, gas))
      return `Signed and sent as ${ids.join(', ')}. Each waits for a block.`
    },
  }
}
