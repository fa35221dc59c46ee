/** A node in a process of its own that has the same coins at each address, at one block. */
import { fork } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PREPARED_CHAIN, PREPARED_GENESIS } from '../../server/testing/preparedNode.ts'

/** Units of the only asset with coins: BTC, or USDC. */
export const UNITS = 5
export const HEIGHT = 100
export const HASH = 'ab'.repeat(32)

type NodeRequest = {
  readonly method: string
  readonly params?: readonly unknown[]
  readonly id: number
}

const word = (number: number): string => `0x${number.toString(16).padStart(64, '0')}`

const resultOf = ({ method, params = [] }: NodeRequest): unknown => {
  const [first, second] = params
  if (method === 'scantxoutset')
    return {
      success: true,
      height: HEIGHT,
      bestblock: HASH,
      unspents: (second as readonly string[]).map((script) => ({
        scriptPubKey: script.slice(4, -1),
        amount: UNITS / 1e8,
      })),
    }
  if (method === 'getblockhash') return PREPARED_GENESIS
  if (method === 'eth_chainId') return `0x${PREPARED_CHAIN.toString(16)}`
  if (method === 'eth_getBalance') return '0x0'
  if (method === 'eth_getBlockByNumber')
    return { number: first, hash: `0x${HASH}`, parentHash: word(0), timestamp: '0x1' }
  // The call `decimals()`, or a balance.
  return word((first as { data: string }).data.length === 10 ? 6 : UNITS)
}

/** Amounts of bitcoin with all their decimals, as the node writes them. */
const written = (asked: NodeRequest): string =>
  JSON.stringify({ jsonrpc: '2.0', id: asked.id, result: resultOf(asked) }).replaceAll(
    /"amount":[^}]+/g,
    `"amount":${(UNITS / 1e8).toFixed(8)}`,
  )

/** Starts the node. */
export const serveBalances = () =>
  new Promise<{ readonly url: string; readonly stop: () => void }>((resolve, reject) => {
    const child = fork(import.meta.filename)
    child.once('message', (url) => resolve({ url: String(url), stop: () => child.kill() }))
    child.once('exit', (code) => reject(new Error(`the node ended with ${code}`)))
  })

if (process.send && process.argv[1] === import.meta.filename) {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const asked = JSON.parse(Buffer.concat(parts).toString()) as
      | NodeRequest
      | readonly NodeRequest[]
    response.end(
      'method' in asked ? written(asked) : `[${asked.map((each) => written(each)).join(',')}]`,
    )
  }).listen(0, '127.0.0.1', () =>
    process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
  )
}
