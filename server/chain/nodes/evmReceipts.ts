/** Proves by receipts that a block has no transfers which its filter of logs speaks for. */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { hexToBytes } from '@noble/hashes/utils.js'
import { z } from 'zod'
import { address, hash, number } from './evmForms.ts'
import { NO_SENDER } from './evmTraces.ts'
import { NodeFault } from './fault.ts'
import { type Rpc, RpcRefusal } from './jsonRpc.ts'

/** The filter in a header: 2,048 bits, three for each address and topic of the block's logs. */
export const bloom = z
  .string()
  .regex(/^0x[0-9a-f]{512}$/)
  .transform((text) => hexToBytes(text.slice(2)))

export const log = z.object({
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
  logs: z.array(log.omit({ logIndex: true })),
})
type Logged = z.output<typeof receipt>['logs'][number]

const bitsOf = (value: string): number[] => {
  const digest = new DataView(keccak_256(hexToBytes(value.slice(2))).buffer)
  return [0, 2, 4].map((at) => digest.getUint16(at) & 2_047)
}
const hasBit = (filter: Uint8Array, bit: number): boolean =>
  (((filter[255 - (bit >> 3)] ?? 0) >> (bit & 7)) & 1) === 1

/** False where the filter proves that no log has the address or topic. */
export const mayHave = (filter: Uint8Array, value: string): boolean =>
  bitsOf(value).every((bit) => hasBit(filter, bit))

type Filtered = {
  readonly hash: string
  readonly logsBloom: Uint8Array
  readonly transactions: readonly { readonly hash: string; readonly from: string }[]
}

/** Every log of a block. Throws unless all receipts are there and explain the whole filter. */
export const logsByReceipts = async (rpc: Rpc, block: Filtered): Promise<readonly Logged[]> => {
  const receipts = await receiptsIn(rpc, block)
  const found = new Map(receipts.map((each) => [each?.transactionHash, each]))
  // A node puts some transactions into a block that have no receipt (docs/chains.md).
  const lost = block.transactions.find(({ hash: id, from }) => {
    const read = found.get(id)
    return from !== NO_SENDER && read?.blockHash !== block.hash
  })
  if (lost) throw new NodeFault('AWAY', `The receipt of ${lost.hash} is not there yet`)
  const logs = receipts.flatMap((each) => each?.logs ?? [])
  const said = new Set(logs.flatMap(({ address: by, topics }) => [by, ...topics]))
  const explained = new Set([...said].flatMap(bitsOf))
  for (let bit = 0; bit < 2_048; bit += 1)
    if (hasBit(block.logsBloom, bit) && !explained.has(bit))
      throw new NodeFault('LYING', `The receipts of ${block.hash} lack logs that its header has`)
  return logs
}

/** In one answer where the node has that call, else one by one. */
const receiptsIn = async (rpc: Rpc, { hash: blockHash, transactions }: Filtered) => {
  try {
    return await rpc.ask({
      method: 'eth_getBlockReceipts',
      params: [blockHash],
      schema: z.array(receipt),
    })
  } catch (error) {
    if (!(error instanceof RpcRefusal)) throw error
  }
  const read = await rpc.askAll(
    transactions.map(({ hash: id }) => ({
      method: 'eth_getTransactionReceipt',
      params: [id],
      schema: receipt.nullable(),
    })),
  )
  return read.map((each) => {
    if (each instanceof RpcRefusal) throw each
    return each
  })
}
