/** Payments in a block of an EVM network: its own coin, and transfers of the named tokens. */
import { z } from 'zod'
import { ethereum } from '../chains/ethereum.ts'
import type { EvmSettings } from '../chainsFile.ts'
import { coins } from './coins.ts'
import { address, hash, number, quantity } from './evmForms.ts'
import { innerTransfersIn } from './evmTraces.ts'
import { NodeFault } from './fault.ts'
import { type Rpc, RpcRefusal } from './jsonRpc.ts'
import { COIN, type Found, type Payment, type Watched } from './node.ts'

export const header = z.object({ hash, number, parentHash: hash, timestamp: number })
export const block = header.extend({
  transactions: z.array(
    z.object({ hash, from: address, nonce: number, to: address.nullish(), value: quantity }),
  ),
})
const log = z.object({
  address,
  topics: z.array(hash),
  data: z.string().regex(/^0x([0-9a-f]{2})*$/),
  blockHash: hash,
  transactionHash: hash,
  logIndex: number,
})
const receipt = z.object({
  transactionHash: hash,
  blockHash: hash,
  blockNumber: number,
  status: number,
  logs: z.array(z.object({ logIndex: number })),
})
type Log = z.output<typeof log>

/** keccak-256 of `Transfer(address,address,uint256)`, the event of ERC-20 tokens. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
/** A sender uses each number once, so a second transaction with it replaces the first. */
const inputOf = ({ from, nonce }: { readonly from: string; readonly nonce: number }): string =>
  `${from}:${nonce}`

/** The receiver of a transfer, in lower case. Undefined for an event with another form. */
const receiverOf = ({ topics, data }: Log): string | undefined =>
  topics.length === 3 && data.length === 66 ? `0x${topics[2]?.slice(26)}` : undefined

/** Reads payments and receipts of blocks. A receipt of another block is a fault. */
export const paymentReader = ({ network, tokens, traces }: EvmSettings, rpc: Rpc) => {
  const byContract = new Map(tokens.map((token) => [token.contract, token]))

  /** Transfers of the named tokens in a block to watched addresses. */
  const transfersIn = async (blockHash: string, { receivers }: Watched) => {
    if (tokens.length === 0) return []
    const logs = await rpc.ask({
      method: 'eth_getLogs',
      params: [{ blockHash, address: tokens.map(({ contract }) => contract), topics: [TRANSFER] }],
      schema: z.array(log),
    })
    const foreign = logs.find(
      (each) => each.blockHash !== blockHash || !byContract.has(each.address),
    )
    if (foreign)
      throw new NodeFault('LYING', `A log of another block or contract came as of ${blockHash}`)
    return logs.flatMap((each) => {
      const receiver = receivers.get(receiverOf(each) ?? '')
      const token = byContract.get(each.address)
      if (receiver === undefined || token === undefined) return []
      const { symbol: asset, decimals } = token
      return { ...each, to: receiver, asset, decimals, units: BigInt(each.data) }
    })
  }

  /** Coins that contracts sent to watched addresses, where the operator wants traces. */
  const innerIn = async (
    found: z.output<typeof block>,
    { receivers, skipsInner }: Watched,
  ): Promise<{ id: string; output: number; to: string; units: bigint }[]> => {
    if (!traces || skipsInner || found.transactions.length === 0) return []
    const transfers = await innerTransfersIn(rpc, found)
    return [...transfers].flatMap(([id, all]) =>
      all.flatMap(({ to, ...rest }) => {
        const receiver = receivers.get(to)
        return receiver === undefined ? [] : { ...rest, id, to: receiver }
      }),
    )
  }

  /** Receipts by transaction. Throws unless each is of this block. */
  const receiptsOf = async (ids: readonly string[], { hash: blockHash }: { hash: string }) => {
    const read = await rpc.askAll(
      ids.map((id) => ({
        method: 'eth_getTransactionReceipt',
        params: [id],
        schema: receipt.nullable(),
      })),
    )
    return new Map(
      read.map((found, at) => {
        if (found instanceof RpcRefusal) throw found
        // A receipt may come after its block, and a block may be replaced meanwhile.
        if (found?.blockHash !== blockHash)
          throw new NodeFault('AWAY', `The receipt of ${ids[at]} is not there yet`)
        return [found.transactionHash, found]
      }),
    )
  }

  const foundIn = async (found: z.output<typeof block>, watched: Watched): Promise<Found> => {
    const { receivers } = watched
    const transfers = (await transfersIn(found.hash, watched)).filter(({ units }) => units > 0n)
    const ofCoin = found.transactions.filter(
      ({ to, value }) => value > 0n && receivers.has(to ?? ''),
    )
    const inner = await innerIn(found, watched)
    const ids = new Set([
      ...transfers.map(({ transactionHash }) => transactionHash),
      ...ofCoin.map((each) => each.hash),
      ...inner.map(({ id }) => id),
    ])
    const receipts = await receiptsOf([...ids], found)
    const succeeded = (id: string): boolean => receipts.get(id)?.status === 1
    const inputs = new Map(found.transactions.map((each) => [each.hash, inputOf(each)]))
    const restOf = (id: string) => {
      const input = inputs.get(id)
      if (input === undefined) throw new NodeFault('LYING', `Block ${found.number} lacks ${id}`)
      return { transaction: id, inputs: [input], isCoinbase: false }
    }
    const ofNetwork = { asset: coins[network], decimals: ethereum.decimals }
    const payments: Payment[] = [
      ...ofCoin
        .filter((each) => succeeded(each.hash))
        .map(({ hash: id, to, value }) => ({
          ...restOf(id),
          output: COIN,
          address: receivers.get(to ?? '') ?? '',
          units: value,
          ...ofNetwork,
        })),
      ...inner
        .filter(({ id }) => succeeded(id))
        .map(({ id, to, ...rest }) => ({ ...restOf(id), address: to, ...rest, ...ofNetwork })),
      ...transfers
        .filter(({ transactionHash }) => succeeded(transactionHash))
        .map(({ transactionHash: id, logIndex, to, asset, units, decimals }) => {
          // The index in the block changes with its other transactions, the ordinal does not.
          const output =
            receipts.get(id)?.logs.findIndex((each) => each.logIndex === logIndex) ?? -1
          if (output < 0)
            throw new NodeFault('LYING', `The receipt of ${id} lacks a log of its block`)
          return { ...restOf(id), output, address: to, asset, units, decimals }
        }),
    ]
    const spends = found.transactions
      .map((each) => ({ input: inputOf(each), transaction: each.hash }))
      .filter(({ input }) => watched.inputs.has(input))
    return { payments, spends }
  }

  return { foundIn, receiptsOf }
}
