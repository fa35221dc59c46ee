/** A node that serves blocks prepared beforehand, since a real one is slower than its reader. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bitcoin } from '../base/chains/bitcoin.ts'
import { bitcoinChains } from '../base/chains/genesis.ts'

export type PreparedChain = {
  readonly kind: 'bitcoin' | 'evm'
  /** Blocks above the first one. */
  readonly blocks: number
  /** Spread evenly over the blocks. */
  readonly transactions: number
  /** Outputs or logs of each transaction that pay strangers. */
  readonly foreign: number
  /** Outputs or logs of all transactions that pay the addresses, in turn. */
  readonly ours: number
  readonly addresses: readonly string[]
}

/** A chain of Ethereum's network for tests, with a token of 6 decimals. */
export const PREPARED_CHAIN = 31_337
export const PREPARED_TOKEN = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
/** The first block of the prepared chain of Bitcoin. */
export const PREPARED_GENESIS =
  Object.keys(bitcoinChains).find((hash) => !bitcoinChains[hash]?.isMain) ?? ''

/** Units of the payment with this number. No two are alike. */
export const unitsOf = (number: number): number => 1_000 + number

type Answers = {
  /** The result of a call as JSON. */
  readonly answer: (method: string, params: readonly unknown[]) => string
}

const digits = (prefix: string, number: number): string =>
  `${prefix}${number.toString(16).padStart(64 - prefix.length, '0')}`
const hex = (number: number): string => `0x${number.toString(16)}`

/** Transactions of each block: their numbers, and those of the payments in each. */
const layOut = ({ blocks, transactions, ours }: PreparedChain) => {
  const all: { id: number; payments: number[] }[][] = Array.from({ length: blocks + 1 }, () => [])
  for (let id = 0; id < transactions; id += 1) {
    const payments: number[] = []
    for (let payment = id; payment < ours; payment += transactions) payments.push(payment)
    all[1 + Math.floor((id * blocks) / transactions)]?.push({ id, payments })
  }
  return all
}

const bitcoinAnswers = (chain: PreparedChain): Answers => {
  // Long: one chain as data, block by block, and the answers from it.
  const { blocks, foreign, addresses } = chain
  const hashOf = (height: number) => (height === 0 ? PREPARED_GENESIS : digits('b0', height))
  const scripts = addresses.map((address) => bitcoin.receiver(address))
  const output = (n: number, script: string, units: number) => ({
    value: units / 100_000_000,
    n,
    scriptPubKey: { asm: `0 ${script.slice(4)}`, hex: script, type: 'witness_v0_keyhash' },
  })
  const stranger = (number: number) => `0014${digits('ee', number).slice(-40)}`
  const input = (number: number) => ({
    txid: digits('ab', number),
    vout: 0,
    sequence: 4_294_967_293,
    scriptSig: { asm: '', hex: '' },
    txinwitness: ['30'.repeat(71), '02'.repeat(33)],
  })
  const bodies = layOut(chain).map((transactions, height) =>
    JSON.stringify({
      hash: hashOf(height),
      height,
      confirmations: blocks - height + 1,
      version: 536_870_912,
      merkleroot: digits('c0', height),
      time: 1_700_000_000 + height * 600,
      nonce: height,
      bits: '1703a30c',
      difficulty: 1,
      chainwork: digits('d0', height),
      ...(height > 0 && { previousblockhash: hashOf(height - 1) }),
      nTx: transactions.length + 1,
      tx: [
        {
          txid: digits('cb', height),
          vin: [{ coinbase: '0102', sequence: 0 }],
          vout: [output(0, stranger(height), 312_500_000)],
        },
        ...transactions.map(({ id, payments }) => ({
          txid: digits('aa', id),
          vin: [input(id)],
          version: 2,
          locktime: 0,
          vout: [
            ...Array.from({ length: foreign }, (_, n) =>
              output(n, stranger(id * foreign + n), 5_000 + n),
            ),
            ...payments.map((payment, n) =>
              output(foreign + n, scripts[payment % scripts.length] ?? '', unitsOf(payment)),
            ),
          ],
        })),
      ],
    }),
  )
  const byHash = new Map(bodies.map((body, height) => [hashOf(height), body]))
  const info = { blocks, headers: blocks, bestblockhash: hashOf(blocks) }
  return {
    answer: (method, [first]) => {
      if (method === 'getblockhash') return JSON.stringify(hashOf(Number(first)))
      if (method === 'getblock') return byHash.get(String(first)) ?? 'null'
      if (method === 'getrawmempool') return '[]'
      return JSON.stringify({ ...info, initialblockdownload: false })
    },
  }
}

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

const evmAnswers = (chain: PreparedChain): Answers => {
  // Long: one chain as data, block by block, and the answers from it.
  const { blocks, foreign, addresses } = chain
  const hashOf = (height: number) => digits('0xb0', height).padEnd(66, '0')
  const idOf = (id: number) => digits('0xaa', id).padEnd(66, '0')
  const word = (text: string) => `0x${text.padStart(64, '0')}`
  const receipts = new Map<string, string>()
  const logs = new Map<string, string>()
  const counts = new Map<string, string>()
  const full = layOut(chain).map((transactions, height) => {
    counts.set(hashOf(height), JSON.stringify(hex(transactions.length)))
    const blockNumber = hex(height)
    const blockHash = hashOf(height)
    let logIndex = 0
    const log = (id: number, receiver: string, units: number) => {
      logIndex += 1
      return {
        address: PREPARED_TOKEN,
        blockHash,
        blockNumber,
        blockTimestamp: hex(height),
        data: word(units.toString(16)),
        logIndex: hex(logIndex - 1),
        removed: false,
        topics: [TRANSFER, word(digits('ff', id).slice(-40)), word(receiver)],
        transactionHash: idOf(id),
        transactionIndex: '0x0',
      }
    }
    const ofBlock = transactions.map(({ id, payments }) => {
      const own = [
        ...Array.from({ length: foreign }, (_, n) =>
          log(id, digits('ee', id * foreign + n).slice(-40), 5_000 + n),
        ),
        ...payments.map((payment) =>
          log(
            id,
            (addresses[payment % addresses.length] ?? '').slice(2).toLowerCase(),
            unitsOf(payment),
          ),
        ),
      ]
      const receipt = { transactionHash: idOf(id), blockHash, blockNumber, status: '0x1' }
      receipts.set(idOf(id), JSON.stringify({ ...receipt, gasUsed: '0x5208', logs: own }))
      return own
    })
    logs.set(blockHash, JSON.stringify(ofBlock.flat()))
    return JSON.stringify({
      hash: blockHash,
      number: blockNumber,
      timestamp: hex(1_700_000_000 + height * 12),
      parentHash: height === 0 ? word('0') : hashOf(height - 1),
      logsBloom: `0x${'00'.repeat(256)}`,
      gasUsed: '0x5208',
      miner: `0x${'cc'.repeat(20)}`,
      transactions: transactions.map(({ id }) => ({
        hash: idOf(id),
        blockHash,
        blockNumber,
        nonce: hex(id),
        value: '0x0',
        from: `0x${'ad'.repeat(20)}`,
        to: `0x${'dd'.repeat(20)}`,
        gas: '0x5208',
        input: `0x${'ab'.repeat(68)}`,
      })),
    })
  })
  const named = (at: unknown) => full[String(at).startsWith('0x') ? Number(at) : blocks] ?? 'null'
  return {
    answer: (method, [first]) => {
      if (method === 'eth_chainId') return JSON.stringify(hex(PREPARED_CHAIN))
      if (method === 'eth_getBlockByNumber') return named(first)
      if (method === 'eth_getLogs')
        return logs.get((first as { blockHash: string }).blockHash) ?? '[]'
      if (method === 'eth_getBlockTransactionCountByHash')
        return counts.get(String(first)) ?? 'null'
      if (method === 'eth_getTransactionReceipt') return receipts.get(String(first)) ?? 'null'
      return method === 'eth_call' ? JSON.stringify(word('6')) : 'false'
    },
  }
}

type NodeRequest = {
  readonly method: string
  readonly params?: readonly unknown[]
  readonly id: number
}

/** Starts the node on loopback, for its process. */
export const startPreparedNode = async (
  chain: PreparedChain,
): Promise<{ readonly url: string }> => {
  const { answer } = chain.kind === 'bitcoin' ? bitcoinAnswers(chain) : evmAnswers(chain)
  const text = ({ method, params = [], id }: NodeRequest) =>
    `{"jsonrpc":"2.0","id":${id},"result":${answer(method, params)}}`
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = JSON.parse(Buffer.concat(parts).toString()) as NodeRequest | NodeRequest[]
    response.end(Array.isArray(body) ? `[${body.map(text).join(',')}]` : text(body))
  })
    .on('connection', (socket) => socket.unref())
    .listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.unref()
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}
