/** Payments in a block of an EVM network: its own coin, and transfers of the named tokens. */
import { z } from 'zod'
import { ethereum } from '../../base/chains/ethereum.ts'
import type { EvmSettings } from '../../base/configuration/chainsFile.ts'
import { coins } from './coins.ts'
import { address, hash, number, quantity } from './evmForms.ts'
import { bloom, log, logsByReceipts, mayHave } from './evmReceipts.ts'
import { innerTransfersIn } from './evmTraces.ts'
import { NodeFault } from './fault.ts'
import { type Rpc, RpcRefusal } from './jsonRpc.ts'
import { COIN, type Payment, type Watched, type WatchedActivity } from './node.ts'

export const header = z.object({ hash, number, parentHash: hash, timestamp: number })
export const block = header.extend({
  logsBloom: bloom,
  transactions: z.array(
    z.object({ hash, from: address, nonce: number, to: address.nullish(), value: quantity }),
  ),
})
const receipt = z.object({
  transactionHash: hash,
  blockHash: hash,
  blockNumber: number,
  status: number,
  gasUsed: quantity,
  effectiveGasPrice: quantity.optional(),
  logs: z.array(z.object({ logIndex: number })),
})
type Log = z.output<typeof log>

/** keccak-256 of `Transfer(address,address,uint256)`, the event of ERC-20 tokens. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
/** A sender uses each number once, so a second transaction with it replaces the first. */
const inputOf = ({ from, nonce }: { readonly from: string; readonly nonce: number }): string =>
  `${from}:${nonce}`

/** Coins that went from one address to another, in lower case. No receiver is a new contract. */
type Moved = {
  readonly id: string
  readonly from: string
  readonly to: string | null
  readonly output: number
  readonly asset: string
  readonly units: bigint
  readonly decimals: number
}
/** A transfer by a log, whose ordinal the receipt tells. */
type Logged = Omit<Moved, 'output'> & { readonly logIndex: number }

/** Sender and receiver of a transfer. Undefined for an event with another form. */
const endsOf = ({ topics, data }: Log) =>
  topics.length === 3 && data.length === 66
    ? { from: `0x${topics[1]?.slice(26)}`, to: `0x${topics[2]?.slice(26)}` }
    : undefined

/** True for coins that reach or leave a watched address. */
const concerns = ({ receivers }: Watched, { from, to }: Pick<Moved, 'from' | 'to'>): boolean =>
  receivers.has(from) || receivers.has(to ?? '')

/** Coins that left watched addresses and fees that they paid, by transaction. */
const spendingsOf = (
  moved: readonly Moved[],
  receivers: Watched['receivers'],
  fees: ReadonlyMap<string, bigint>,
) => {
  const left = moved.filter(({ from, to }) => from !== to && receivers.has(from))
  return [...new Set([...left.map(({ id }) => id), ...fees.keys()])].map((id) => {
    const own = left.filter((each) => each.id === id)
    return {
      id,
      fee: fees.get(id) ?? 0n,
      spent: own.map(({ from, output: position, asset, units, decimals }) => ({
        position,
        address: receivers.get(from) ?? from,
        input: null,
        asset,
        units,
        decimals,
      })),
      sent: own.map(({ to, output, asset, units, decimals }) => ({
        output,
        asset,
        units,
        decimals,
        address: to === null ? null : (receivers.get(to) ?? ethereum.addressOf(to) ?? null),
      })),
    }
  })
}

/** Reads payments and receipts of blocks. A receipt of another block is a fault. */
export const paymentReader = ({ network, tokens, traces }: EvmSettings, rpc: Rpc) => {
  // Long: readers of logs, traces and receipts are short functions that share its state.
  const byContract = new Map(tokens.map((token) => [token.contract, token]))

  const ofNetwork = { asset: coins[network], decimals: ethereum.decimals }

  /** Throws where the header speaks for logs of a token, and its receipts have a transfer of it. */
  const requireAll = async (found: z.output<typeof block>, logs: readonly Log[]): Promise<void> => {
    const shown = new Set(logs.map((each) => each.address))
    const silent = new Set(
      tokens
        .map(({ contract }) => contract)
        .filter((contract) => !shown.has(contract) && mayHave(found.logsBloom, contract)),
    )
    if (silent.size === 0 || !mayHave(found.logsBloom, TRANSFER)) return
    const left = (await logsByReceipts(rpc, found)).find(
      (each) => silent.has(each.address) && each.topics[0] === TRANSFER,
    )
    if (left)
      throw new NodeFault('LYING', `eth_getLogs left out a transfer of ${left.transactionHash}`)
  }

  /** Transfers of the named tokens in a block to and from watched addresses. */
  const transfersIn = async (
    found: z.output<typeof block>,
    watched: Watched,
  ): Promise<Logged[]> => {
    if (tokens.length === 0) return []
    const blockHash = found.hash
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
    await requireAll(found, logs)
    return logs.flatMap((each) => {
      const ends = endsOf(each)
      const token = byContract.get(each.address)
      const units = BigInt(each.data === '0x' ? 0 : each.data)
      if (!ends || !token || units === 0n || !concerns(watched, ends)) return []
      const { symbol: asset, decimals } = token
      const { transactionHash: id, logIndex } = each
      return { id, logIndex, ...ends, asset, decimals, units }
    })
  }

  /** Coins that contracts sent to and from watched addresses, where the operator wants traces. */
  const innerIn = async (found: z.output<typeof block>, watched: Watched): Promise<Moved[]> => {
    if (!traces || watched.skipsInner || found.transactions.length === 0) return []
    const transfers = await innerTransfersIn(rpc, found)
    return [...transfers].flatMap(([id, all]) =>
      all
        .filter((each) => each.units > 0n && concerns(watched, each))
        .map((each) => ({ id, ...each, ...ofNetwork })),
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

  const foundIn = async (
    found: z.output<typeof block>,
    watched: Watched,
  ): Promise<WatchedActivity> => {
    const { receivers } = watched
    const transfers = await transfersIn(found, watched)
    const ofCoin: Moved[] = found.transactions
      .filter((each) => each.value > 0n && concerns(watched, { ...each, to: each.to ?? null }))
      .map(({ hash: id, from, to = null, value: units }) => ({
        id,
        from,
        to,
        output: COIN,
        units,
        ...ofNetwork,
      }))
    const inner = await innerIn(found, watched)
    const sentByUs = found.transactions.filter(({ from }) => receivers.has(from))
    const ids = new Set([
      ...[...transfers, ...ofCoin, ...inner].map(({ id }) => id),
      ...sentByUs.map((each) => each.hash),
    ])
    const receipts = await receiptsOf([...ids], found)
    const inputs = new Map(found.transactions.map((each) => [each.hash, inputOf(each)]))
    const restOf = (id: string) => {
      const input = inputs.get(id)
      if (input === undefined) throw new NodeFault('LYING', `Block ${found.number} lacks ${id}`)
      return { transaction: id, inputs: [input] }
    }
    const succeeded = ({ id }: { readonly id: string }) => receipts.get(id)?.status === 1
    const logged = transfers.filter(succeeded).map(({ logIndex, ...each }): Moved => {
      // The index in the block changes with its other transactions, the ordinal does not.
      const logs = receipts.get(each.id)?.logs ?? []
      const output = logs.findIndex((log) => log.logIndex === logIndex)
      if (output < 0)
        throw new NodeFault('LYING', `The receipt of ${each.id} lacks a log of its block`)
      return { ...each, output }
    })
    const moved = [...[...ofCoin, ...inner].filter(succeeded), ...logged]
    const payments: Payment[] = moved.flatMap(({ id, from: _, to, ...each }) => {
      const address = receivers.get(to ?? '')
      return address === undefined ? [] : { ...restOf(id), ...each, address, isCoinbase: false }
    })
    const feeOf = (id: string): bigint => {
      const { gasUsed, effectiveGasPrice } = receipts.get(id) ?? {}
      if (gasUsed === undefined || effectiveGasPrice === undefined)
        throw new NodeFault('LYING', `The receipt of ${id} names no price of its gas`)
      return gasUsed * effectiveGasPrice
    }
    const fees = new Map(sentByUs.map((each) => [each.hash, feeOf(each.hash)]))
    const spendings = spendingsOf(moved, receivers, fees).map(({ id, ...each }) => ({
      ...restOf(id),
      ...each,
    }))
    const spends = found.transactions
      .map((each) => ({ input: inputOf(each), transaction: each.hash }))
      .filter(({ input }) => watched.inputs.has(input))
    return { payments, spendings, spends }
  }

  return { foundIn, receiptsOf }
}
