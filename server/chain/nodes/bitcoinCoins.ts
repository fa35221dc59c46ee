/** Unspent coins of addresses, as a Bitcoin node has them in its newest block. */
import { z } from 'zod'
import type { BitcoinSettings } from '../../base/configuration/chainsFile.ts'
import { satoshis } from './bitcoin.ts'
import { NodeFault } from './fault.ts'
import { BLOCK_BYTES, openRpc, RpcRefusal } from './jsonRpc.ts'
import type { Limits, UnspentCoins } from './node.ts'

const scan = z.object({
  success: z.boolean(),
  height: z.number().int().min(0),
  bestblock: z.string().regex(/^[0-9a-f]{64}$/),
  // Amounts are text, by `exact` below.
  total_amount: z.string(),
  unspents: z.array(z.object({ scriptPubKey: z.string(), amount: z.string() })),
})

/** The node reads all unspent outputs of the chain, which takes minutes on the main network. */
const SCAN_TIMEOUT_MS = 15 * 60_000
/** Code of Bitcoin Core for a scan while another one runs. */
const SCANNING = -8

/**
 * Asks once for all scripts, as the time does not depend on their number. Undefined while the node
 * is scanning for others. Throws a `NodeFault`.
 */
export const readUnspent = async (
  settings: BitcoinSettings,
  scripts: readonly string[],
  limits: Limits,
): Promise<UnspentCoins | undefined> => {
  const rpc = openRpc({
    ...settings,
    timeout: SCAN_TIMEOUT_MS,
    ...limits,
    exact: ['amount', 'total_amount'],
    mostBytes: BLOCK_BYTES,
  })
  const call = {
    method: 'scantxoutset',
    params: ['start', scripts.map((script) => `raw(${script})`)],
    schema: scan,
  }
  try {
    const { success, height, bestblock, unspents, total_amount: total } = await rpc.ask(call)
    if (!success) throw new NodeFault('AWAY', 'scantxoutset was aborted')
    const units = new Map<string, bigint>()
    for (const { scriptPubKey, amount } of unspents)
      units.set(scriptPubKey, (units.get(scriptPubKey) ?? 0n) + satoshis(amount))
    const sum = [...units.values()].reduce((all, each) => all + each, 0n)
    if (sum !== satoshis(total))
      throw new NodeFault('LYING', `scantxoutset names ${total}, and outputs of ${sum} satoshis`)
    return { block: { height, hash: bestblock }, units }
  } catch (error) {
    if (error instanceof RpcRefusal && error.code === SCANNING) return undefined
    throw error
  }
}
