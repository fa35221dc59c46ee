/** Balances of addresses on EVM networks at a block. */
import { z } from 'zod'
import { ethereum } from '../../base/chains/ethereum.ts'
import type { EvmSettings } from '../../base/configuration/chainsFile.ts'
import { coins } from './coins.ts'
import { quantity } from './evmForms.ts'
import { type Rpc, RpcRefusal } from './jsonRpc.ts'
import type { Balance } from './node.ts'

/** The call `balanceOf(address)`. */
const BALANCE_OF = '0x70a08231'
const word = z
  .string()
  .regex(/^0x[0-9a-f]{64}$/)
  .transform(BigInt)

/** Reads the network's own coin and each named token. Throws when the node refuses one. */
export const balanceReader =
  ({ network, tokens }: EvmSettings, rpc: Rpc) =>
  async (height: number, addresses: readonly string[]): Promise<Balance[]> => {
    const at = `0x${height.toString(16)}`
    const asked = addresses.flatMap((address) => [
      {
        address,
        asset: coins[network],
        decimals: ethereum.decimals,
        call: { method: 'eth_getBalance', params: [address, at], schema: quantity },
      },
      ...tokens.map(({ symbol: asset, contract: to, decimals }) => {
        const data = `${BALANCE_OF}${address.slice(2).toLowerCase().padStart(64, '0')}`
        const call = { method: 'eth_call', params: [{ to, data }, at], schema: word }
        return { address, asset, decimals, call }
      }),
    ])
    const answers = await rpc.askAll(asked.map(({ call }) => call))
    return asked.map(({ call: _, ...balance }, place) => {
      const units = answers[place]
      if (units instanceof RpcRefusal) throw units
      return { ...balance, units: units ?? 0n }
    })
  }
