/** The facts about a network that a batch is made with, from its node. */
import type { NetworkName } from '@pool/contract/base/networks'
import { refusal } from '@pool/contract/base/refusals'
import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import type { ChainSettings } from '../../base/configuration/chainsFile.ts'
import type { Config } from '../../base/configuration/config.ts'
import type { Schema } from '../../base/db/schema.ts'
import { satoshis } from '../../chain/nodes/bitcoin.ts'
import { quantity } from '../../chain/nodes/evmForms.ts'
import { NodeFault } from '../../chain/nodes/fault.ts'
import { BLOCK_BYTES, openRpc, RpcRefusal } from '../../chain/nodes/jsonRpc.ts'
import type { Node } from '../../chain/nodes/node.ts'
import { openNode } from '../../chain/nodes/open.ts'
import { settingsOf } from '../../chain/nodes/settings.ts'
import { isFine } from '../../chain/nodes/stopped.ts'

/** Milliseconds of one call. Staff wait for the answer. */
const TIMEOUT_MS = 15_000

const impossible = (problem: 'noNode' | 'nodeNotFine' | 'coinsChanged') =>
  refusal('batchImpossible', { problem })

export type PayingNode = {
  readonly settings: ChainSettings
  readonly node: Node
  /** The newest block. */
  readonly height: number
  /**
   * Resolves with the result of questions to the node. Throws `batchImpossible` unless it is still
   * on the chain that was read: a node changed for another meanwhile has answered of two chains.
   */
  readonly asking: <T>(questions: () => Promise<T>) => Promise<T>
}

/**
 * The node of a network, which is fine now, and which was read up to now on its own chain. Throws
 * `batchImpossible`.
 */
export const requireFineNode = async (
  db: Kysely<Schema>,
  config: Pick<Config, 'chains'>,
  network: NetworkName,
): Promise<PayingNode> => {
  const settings = settingsOf(config, network)
  if (!settings) throw impossible('noNode')
  const { rows } = await sql<{ height: number; hash: string; head: number }>`
    SELECT b.height::int, b.hash, c.height::int AS head FROM chains AS c JOIN chain_blocks AS b USING (network_name)
    WHERE c.network_name = ${network} AND ${isFine}
    ORDER BY b.height DESC LIMIT 1`.execute(db)
  const [read] = rows
  // A follower that stands below the newest block it looked at has not read every spend.
  if (!read || read.height !== read.head) throw impossible('nodeNotFine')
  const node = openNode(settings, { timeout: TIMEOUT_MS })
  const requireChain = async () => {
    if ((await node.hashAt(read.height)) !== read.hash) throw impossible('nodeNotFine')
  }
  return asRefusal(async () => {
    await node.check()
    const head = await node.head()
    await requireChain()
    return {
      settings,
      node,
      height: head.height,
      asking: async (questions) => {
        try {
          return await questions()
        } finally {
          // Also before a refusal, whose reason would be of the other chain.
          await asRefusal(requireChain)
        }
      },
    }
  })
}

/** Turns faults of the node into the refusal of making a batch. */
export const asRefusal = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    throw error instanceof NodeFault ? impossible('nodeNotFine') : error
  }
}

export const rpcOf = (settings: ChainSettings, more: { readonly mostBytes?: number } = {}) =>
  openRpc({ ...settings, timeout: TIMEOUT_MS, exact: ['value', 'feerate'], ...more })

/** True for each output that no transaction spends, in a block or in the node's pool. */
export const areUnspent = async (
  settings: ChainSettings,
  inputs: readonly string[],
): Promise<boolean[]> => {
  const answers = await rpcOf(settings).askAll(
    inputs.map((input) => {
      const [id = '', number] = input.split(':')
      const schema = z.object({ value: z.string() }).nullable()
      return { method: 'gettxout', params: [id, Number(number), true], schema }
    }),
  )
  return answers.map((answer) => {
    if (answer instanceof RpcRefusal) throw answer
    return answer !== null
  })
}

/** Whole transactions by id, in hexadecimal. A thread reads them: one has up to 800 kB. */
export const readTransactions = async (
  settings: ChainSettings,
  ids: readonly string[],
): Promise<Map<string, string>> => {
  const wanted = [...new Set(ids)]
  const answers = await rpcOf(settings, { mostBytes: BLOCK_BYTES }).askAll(
    wanted.map((id) => ({
      method: 'getrawtransaction',
      params: [id, false],
      schema: z.string().regex(/^(?:[0-9a-f]{2})+$/),
    })),
  )
  return new Map(
    answers.map((answer, at) => {
      if (answer instanceof RpcRefusal) throw answer
      return [wanted[at] ?? '', answer]
    }),
  )
}

/** The code of a transaction that a block has already. */
const IN_BLOCK = -27

/** Gives a signed transaction to the node. Throws `signedRefused` with the node's own words. */
export const sendRaw = async (settings: ChainSettings, raw: string): Promise<void> => {
  await asRefusal(async () => {
    const [answer] = await rpcOf(settings).askAll([
      { method: 'sendrawtransaction', params: [raw], schema: z.string() },
    ])
    if (answer instanceof RpcRefusal && answer.code !== IN_BLOCK)
      throw refusal('signedRefused', { words: answer.message })
  })
}

/** Blocks within which a transaction shall be mined. */
const ESTIMATED_BLOCKS = 6

/** Thousandths of a satoshi for a virtual byte below which most nodes relay nothing. */
const LEAST_FEE_RATE = 1_000n

/** Thousandths of a satoshi for a virtual byte. Undefined where the node estimates none. */
export const estimateFeeRate = async (settings: ChainSettings): Promise<bigint | undefined> => {
  const [answer] = await rpcOf(settings).askAll([
    {
      method: 'estimatesmartfee',
      params: [ESTIMATED_BLOCKS],
      schema: z.object({ feerate: z.string().optional() }),
    },
  ])
  if (!answer || answer instanceof RpcRefusal || answer.feerate === undefined) return undefined
  // Coins for a thousand virtual bytes.
  const rate = satoshis(answer.feerate)
  if (rate === 0n) return undefined
  return rate > LEAST_FEE_RATE ? rate : LEAST_FEE_RATE
}

/** The calls `nonce()` and `VERSION()` of a Safe. */
const [NONCE, VERSION] = ['0xaffed0e0', '0xffa1ad74']

/** The text of an answer that the ABI encodes as one string. Undefined for another answer. */
const textOf = (answer: string): string | undefined => {
  const bytes = Buffer.from(answer.slice(2), 'hex')
  if (bytes.length < 96) return undefined
  return bytes.subarray(64, 64 + bytes.readUInt32BE(60)).toString('utf8')
}

export type SafeFacts = {
  readonly version: string
  /** The number of its next transaction. */
  readonly nonce: number
  /** Of the given contracts, those that are on the chain. */
  readonly present: ReadonlySet<string>
}

/** Reads a Safe. Undefined where no contract answers as one. */
export const readSafe = async (
  settings: ChainSettings,
  safe: string,
  contracts: readonly string[],
): Promise<SafeFacts | undefined> => {
  const rpc = rpcOf(settings)
  const call = (data: string) => ({
    method: 'eth_call',
    params: [{ to: safe, data }, 'latest'],
    schema: z.string(),
  })
  const [nonce, version, ...codes] = await rpc.askAll([
    call(NONCE),
    call(VERSION),
    ...contracts.map((contract) => ({
      method: 'eth_getCode',
      params: [contract, 'latest'],
      schema: z.string(),
    })),
  ])
  if (typeof nonce !== 'string' || typeof version !== 'string') return undefined
  const text = textOf(version)
  if (text === undefined || !/^0x[0-9a-f]{64}$/.test(nonce)) return undefined
  const present = new Set(contracts.filter((_, at) => String(codes[at] ?? '0x').length > 2))
  return { version: text, nonce: Number(BigInt(nonce)), present }
}

/** Part of a block's gas that a transaction may take, so that it is mined when blocks are full. */
const BLOCK_PART = 3n
/** Most gas of a transaction on any network (EIP-7825). */
const MOST_GAS = 2n ** 24n

/** Most gas of one transaction of a batch. */
export const readMostGas = async (settings: ChainSettings): Promise<bigint> => {
  const { gasLimit } = await rpcOf(settings).ask({
    method: 'eth_getBlockByNumber',
    params: ['latest', false],
    schema: z.object({ gasLimit: quantity }),
  })
  const part = gasLimit / BLOCK_PART
  return part < MOST_GAS ? part : MOST_GAS
}

/** Wei for a unit of gas, as the node would pay now. */
export const readGasPrice = (settings: ChainSettings): Promise<bigint> =>
  rpcOf(settings).ask({ method: 'eth_gasPrice', schema: quantity })
