/** Nodes that speak Ethereum's JSON-RPC: Ethereum and the networks that follow its rules. */
import { z } from 'zod'
import type { EvmSettings, Token } from '../../base/configuration/chainsFile.ts'
import { balanceReader } from './evmBalances.ts'
import { hash, number } from './evmForms.ts'
import { block, header, paymentReader } from './evmPayments.ts'
import { traceBlock } from './evmTraces.ts'
import { NodeFault } from './fault.ts'
import { BLOCK_BYTES, openRpc, RpcRefusal } from './jsonRpc.ts'
import type { Limits, Node, TransactionState } from './node.ts'

/** The call `decimals()`. */
const DECIMALS = '0x313ce567'

const hex = (height: number): string => `0x${height.toString(16)}`

/** Opens the node of an EVM network. */
export const openEvm = (settings: EvmSettings, limits: Limits): Node => {
  // Long: the calls of a node are short functions that share its state.
  const { chainId, tokens, traces } = settings
  const rpc = openRpc({ ...settings, ...limits, mostBytes: BLOCK_BYTES })

  const headerAt = (at: string) =>
    rpc.ask({
      method: 'eth_getBlockByNumber',
      params: [at, false],
      schema: header.nullable(),
    })

  /** The number of the newest final block. Null where the node knows no such block. */
  const finalHeight = async (): Promise<number | null> => {
    try {
      return (await headerAt('finalized'))?.number ?? null
    } catch (error) {
      if (error instanceof RpcRefusal) return null
      throw error
    }
  }

  const checkToken = async ({ symbol, contract, decimals }: Token): Promise<void> => {
    const answer = await rpc.ask({
      method: 'eth_call',
      params: [{ to: contract, data: DECIMALS }, 'latest'],
      schema: z.string(),
    })
    const found = /^0x[0-9a-f]{64}$/.test(answer) ? BigInt(answer) : undefined
    if (found === BigInt(decimals)) return
    throw new NodeFault(
      'WRONG_TOKEN',
      found === undefined
        ? `${symbol}: no token has the contract ${contract}`
        : `${symbol}: the contract says ${found} decimals, and CHAINS names ${decimals}`,
    )
  }

  let hasTraced = false
  /** Has the newest block traced once. The first block of a chain has no trace. */
  const checkTraces = async (): Promise<void> => {
    const latest = await headerAt('latest')
    if (!latest?.number) return
    await traceBlock(rpc, latest.hash)
    hasTraced = true
  }

  /** Throws where the node itself counts more transactions in a block than it showed. */
  const requireWhole = async (found: z.output<typeof block>): Promise<void> => {
    const count = await rpc.ask({
      method: 'eth_getBlockTransactionCountByHash',
      params: [found.hash],
      schema: number.nullable(),
    })
    if (count === null) throw new NodeFault('AWAY', `Block ${found.number} is not there any more`)
    const { length } = found.transactions
    if (length < count)
      throw new NodeFault(
        'LYING',
        `Block ${found.number} came with ${length} of ${count} transactions`,
      )
  }

  const { foundIn, receiptsOf } = paymentReader(settings, rpc)

  return {
    check: async () => {
      const found = await rpc.ask({ method: 'eth_chainId', schema: number })
      if (found !== chainId)
        throw new NodeFault(
          'OTHER_CHAIN',
          `The node is on chain ${found}, and CHAINS names ${chainId}`,
        )
      for (const token of tokens) await checkToken(token)
      if (traces && !hasTraced) await checkTraces()
    },
    head: async () => {
      const syncing = await rpc.ask({
        method: 'eth_syncing',
        schema: z.union([z.literal(false), z.looseObject({})]),
      })
      const latest = await headerAt('latest')
      if (syncing !== false || !latest)
        throw new NodeFault('BEHIND', `The node is syncing at block ${latest?.number ?? 0}`)
      return { height: latest.number, hash: latest.hash, finalHeight: await finalHeight() }
    },
    hashAt: async (height) => (await headerAt(hex(height)))?.hash,
    block: async (height, watched) => {
      const found = await rpc.ask({
        method: 'eth_getBlockByNumber',
        params: [hex(height), true],
        schema: block.nullable(),
      })
      if (!found) return undefined
      if (found.number !== height)
        throw new NodeFault('LYING', `Block ${height} came as block ${found.number}`)
      const [inBlock] = await Promise.all([foundIn(found, watched), requireWhole(found)])
      return {
        height,
        hash: found.hash,
        parent: height === 0 ? '' : found.parentHash,
        time: found.timestamp,
        ...inBlock,
      }
    },
    balances: balanceReader(settings, rpc),
    transaction: async (id): Promise<TransactionState> => {
      const found = await rpc.ask({
        method: 'eth_getTransactionByHash',
        params: [id],
        schema: z.object({ hash, blockHash: hash.nullish() }).nullable(),
      })
      if (!found) return { state: 'UNKNOWN' }
      if (!found.blockHash) return { state: 'PENDING' }
      const mined = (await receiptsOf([id], { hash: found.blockHash })).get(id)
      if (!mined) throw new NodeFault('LYING', `The receipt of ${id} is of another transaction`)
      return {
        state: 'MINED',
        height: mined.blockNumber,
        hash: mined.blockHash,
        succeeded: mined.status === 1,
      }
    },
  }
}
