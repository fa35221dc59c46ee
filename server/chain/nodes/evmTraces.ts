/** Coins that contracts send within a transaction. They leave no log, but traces show them. */
import { z } from 'zod'
import { address, hash, quantity } from './evmForms.ts'
import { NodeFault } from './fault.ts'
import { type Rpc, RpcRefusal } from './jsonRpc.ts'
import { INNER } from './node.ts'

const call = z.object({
  type: z.string(),
  from: address,
  to: address.nullish(),
  value: quantity.nullish(),
  /** Present if the call was reverted, and with it all that it did. */
  error: z.string().nullish(),
  // Thousands of calls may lie in each other, so each is read apart.
  calls: z.array(z.unknown()).nullish(),
})
const trace = z.object({
  txHash: hash,
  result: z.unknown().optional(),
  error: z.string().nullish(),
})

/** Kinds of calls that move coins. Others repeat the value of the call that they are part of. */
const MOVING: ReadonlySet<string> = new Set(['CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT'])
/** The sender of transactions that Polygon's nodes put into a block, and do not trace. */
export const NO_SENDER = `0x${'0'.repeat(40)}`

/** Coins that a contract sent. Addresses are in lower case. */
export type Transfer = {
  readonly output: number
  readonly from: string
  readonly to: string
  readonly units: bigint
}

type Traced = {
  readonly hash: string
  readonly transactions: readonly { readonly hash: string; readonly from: string }[]
}

const readCall = (text: unknown) => {
  const read = call.safeParse(text)
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw new NodeFault('LYING', `A trace: ${issue?.path.join('.')} ${issue?.message}`)
}

/** The transfers below the top call that stood, depth first. */
const transfersBelow = (top: unknown): Transfer[] => {
  const transfers: Transfer[] = []
  const open: unknown[] = [top]
  for (let isTop = true; open.length > 0; isTop = false) {
    const { type, from, to, value, error, calls } = readCall(open.pop())
    if (typeof error === 'string') continue
    if (!isTop && value && to && to !== from && MOVING.has(type))
      transfers.push({ output: INNER - transfers.length, from, to, units: value })
    open.push(...(calls ?? []).toReversed())
  }
  return transfers
}

/**
 * The coins that contracts sent in a block, by transaction. Throws `NO_TRACES` when the node
 * refuses, and `LYING` when it left a transaction out.
 */
export const innerTransfersIn = async (
  rpc: Rpc,
  { hash: blockHash, transactions }: Traced,
): Promise<Map<string, Transfer[]>> => {
  const traces = await traceBlock(rpc, blockHash)
  const results = new Map(
    traces.map(({ txHash, result, error }) => {
      if (typeof error === 'string') throw new NodeFault('NO_TRACES', `${txHash}: ${error}`)
      return [txHash, result]
    }),
  )
  const lost = transactions.find((each) => each.from !== NO_SENDER && !results.has(each.hash))
  if (lost) throw new NodeFault('LYING', `The traces of ${blockHash} lack ${lost.hash}`)
  return new Map(
    transactions
      .filter((each) => results.has(each.hash))
      .map((each) => [each.hash, transfersBelow(results.get(each.hash))]),
  )
}

/** Asks for the traces of a block. Throws `NO_TRACES` with the node's words when it refuses. */
export const traceBlock = async (rpc: Rpc, blockHash: string) => {
  try {
    return await rpc.ask({
      method: 'debug_traceBlockByHash',
      params: [blockHash, { tracer: 'callTracer' }],
      schema: z.array(trace),
    })
  } catch (error) {
    if (error instanceof RpcRefusal) throw new NodeFault('NO_TRACES', error.message)
    throw error
  }
}
