/** Nodes that speak the JSON-RPC of Bitcoin Core. */
import { z } from 'zod'
import { bitcoin } from '../../base/chains/bitcoin.ts'
import { bitcoinChains } from '../../base/chains/genesis.ts'
import type { BitcoinSettings } from '../../base/configuration/chainsFile.ts'
import { spendingReader, unspentBy } from './bitcoinSpendings.ts'
import { coins } from './coins.ts'
import { NodeFault } from './fault.ts'
import { BLOCK_BYTES, type Call, openRpc, RpcRefusal } from './jsonRpc.ts'
import type {
  Limits,
  Node,
  Payment,
  TransactionState,
  Unspent,
  Watched,
  WatchedActivity,
} from './node.ts'

const hash = z.string().regex(/^[0-9a-f]{64}$/)
const number = z.number().int().min(0)

const output = z.object({
  // Text, by `exact` below.
  value: z.string(),
  n: number,
  scriptPubKey: z.object({ hex: z.string() }),
})
const input = z.object({
  txid: hash.optional(),
  vout: number.optional(),
  coinbase: z.string().optional(),
})
const transaction = z.object({ txid: hash, vin: z.array(input), vout: z.array(output) })
const mined = transaction.extend({ blockhash: hash.optional() })
const block = z.object({
  hash,
  height: number,
  confirmations: z.number().int(),
  time: number,
  previousblockhash: hash.optional(),
  nTx: number,
  tx: z.array(transaction),
})
const chainInfo = z.object({
  blocks: number,
  headers: number,
  bestblockhash: hash,
  initialblockdownload: z.boolean(),
})

/** Codes of Bitcoin Core: an unknown transaction or block, a height above the head, a start. */
const NOT_FOUND = -5
const OUT_OF_RANGE = -8
const WARMING_UP = -28

/** Blocks whose headers are known and which are not read yet, beyond those under way. */
const MOST_MISSING = 2

const { decimals: DECIMALS } = bitcoin

/** Satoshis of an amount in coins, as a node writes it: 0.00000546, or 5.46e-06. */
export const satoshis = (value: string): bigint => {
  const [, whole = '', decimals = '', exponent = '0'] =
    /^(\d{1,16})(?:\.(\d{1,16}))?(?:e([+-]?\d{1,2}))?$/i.exec(value) ?? []
  const zeros = DECIMALS - decimals.length + Number(exponent)
  const digits = whole + decimals
  const isWhole = zeros >= 0 || /^0*$/.test(digits.slice(zeros))
  if (whole === '' || !isWhole) throw new NodeFault('LYING', `An output has the value ${value}`)
  return zeros >= 0 ? BigInt(digits) * 10n ** BigInt(zeros) : BigInt(digits.slice(0, zeros) || 0)
}

type Transaction = z.output<typeof transaction>

const inputsOf = ({ vin }: Transaction): string[] =>
  vin.flatMap((each) => (each.txid === undefined ? [] : `${each.txid}:${each.vout}`))

const paymentsOf = (read: Transaction, { receivers }: Watched): readonly Payment[] => {
  const { txid, vin, vout } = read
  return vout.flatMap(({ value, n, scriptPubKey }) => {
    const address = receivers.get(scriptPubKey.hex)
    if (address === undefined) return []
    const units = satoshis(value)
    if (units === 0n) return []
    return {
      transaction: txid,
      output: n,
      address,
      asset: coins.Bitcoin,
      units,
      decimals: DECIMALS,
      inputs: inputsOf(read),
      isCoinbase: vin.some(({ coinbase }) => coinbase !== undefined),
    }
  })
}

/** Reads the outputs of a transaction when they are wanted, since few are. */
const asSpending = ({ txid, vin, vout }: Transaction) => ({
  txid,
  vin,
  outputs: () =>
    vout.map(({ n, value, scriptPubKey }) => ({
      n,
      units: satoshis(value),
      script: scriptPubKey.hex,
    })),
})

/** Transactions spend what `fresh` has, besides what is watched. */
const foundIn = (
  all: readonly Transaction[],
  watched: Watched,
  fresh: ReadonlyMap<string, Unspent>,
): WatchedActivity => {
  const spendingOf = spendingReader(watched, fresh)
  return {
    payments: all.flatMap((each) => paymentsOf(each, watched)),
    spendings: all.flatMap((each) => spendingOf(asSpending(each)) ?? []),
    spends: all.flatMap((each) =>
      inputsOf(each)
        .filter((input) => watched.inputs.has(input))
        .map((input) => ({ input, transaction: each.txid })),
    ),
  }
}

/** The outputs that these transactions made for watched addresses. */
const freshIn = (all: readonly Transaction[], watched: Watched): Map<string, Unspent> =>
  unspentBy(all.flatMap((each) => paymentsOf(each, watched)))

const spentFrom = (all: readonly Transaction[]): ReadonlySet<string> =>
  new Set(all.flatMap(({ vin }) => vin.flatMap(({ txid }) => txid ?? [])))

/** One for all of the pool's transactions that do not concern us, which are many. */
const NOTHING: WatchedActivity = { payments: [], spendings: [], spends: [] }
const orNothing = (found: WatchedActivity): WatchedActivity =>
  found.payments.length + found.spendings.length + found.spends.length > 0 ? found : NOTHING

const together = (all: readonly WatchedActivity[]): WatchedActivity => ({
  payments: all.flatMap(({ payments }) => payments),
  spendings: all.flatMap(({ spendings }) => spendings),
  spends: all.flatMap(({ spends }) => spends),
})

/** Opens the node of a Bitcoin network. Transactions of its pool are read once in its life. */
export const openBitcoin = (settings: BitcoinSettings, limits: Limits): Node => {
  // Long: the calls of a node are short functions that share its state.
  const rpc = openRpc({ ...settings, ...limits, exact: ['value'], mostBytes: BLOCK_BYTES })
  /** Unconfirmed transactions that were read, and what was found in each. */
  let pool = new Map<string, WatchedActivity>()

  const ask = async <T>(call: Call<T>): Promise<T> => {
    try {
      return await rpc.ask(call)
    } catch (error) {
      if (error instanceof RpcRefusal && error.code === WARMING_UP)
        throw new NodeFault('BEHIND', error.message)
      throw error
    }
  }
  /** Undefined where the node refuses with this code. */
  const askUnless = async <T>(code: number, call: Call<T>): Promise<T | undefined> => {
    try {
      return await ask(call)
    } catch (error) {
      if (error instanceof RpcRefusal && error.code === code) return undefined
      throw error
    }
  }
  const hashAt = (height: number): Promise<string | undefined> =>
    askUnless(OUT_OF_RANGE, { method: 'getblockhash', params: [height], schema: hash })

  return {
    hashAt,
    check: async () => {
      const first = await hashAt(0)
      if (first === settings.genesis) return
      const wanted = bitcoinChains[settings.genesis]?.name
      const found = bitcoinChains[first ?? '']?.name ?? first
      throw new NodeFault('OTHER_CHAIN', `The node is on ${found}, and CHAINS names ${wanted}`)
    },
    head: async () => {
      const { blocks, headers, bestblockhash, initialblockdownload } = await ask({
        method: 'getblockchaininfo',
        schema: chainInfo,
      })
      if (initialblockdownload || headers - blocks > MOST_MISSING)
        throw new NodeFault('BEHIND', `The node has ${blocks} of ${headers} blocks`)
      return { height: blocks, hash: bestblockhash, finalHeight: null }
    },
    block: async (height, watched) => {
      const wanted = await hashAt(height)
      if (wanted === undefined) return undefined
      const found = await ask({ method: 'getblock', params: [wanted, 2], schema: block })
      if (found.hash !== wanted || found.height !== height)
        throw new NodeFault('LYING', `Block ${height} came as block ${found.height}`)
      if (found.tx.length !== found.nTx)
        throw new NodeFault(
          'LYING',
          `Block ${height} came with ${found.tx.length} of ${found.nTx} transactions`,
        )
      return {
        height,
        hash: wanted,
        parent: found.previousblockhash ?? '',
        time: found.time,
        spentFrom: spentFrom(found.tx),
        ...foundIn(found.tx, watched, freshIn(found.tx, watched)),
      }
    },
    mempool: async (watched) => {
      const ids = await ask({ method: 'getrawmempool', schema: z.array(hash) })
      const unread = ids.filter((id) => !pool.has(id))
      const read = await rpc.askAll(
        unread.map((id) => ({
          method: 'getrawtransaction',
          params: [id, true],
          schema: transaction,
        })),
      )
      const next = new Map<string, WatchedActivity>()
      for (const id of ids) {
        const known = pool.get(id)
        if (known) next.set(id, known)
      }
      // A refused one has left the pool meanwhile, or is read at the next look.
      const news = read.flatMap((found) => (found instanceof RpcRefusal ? [] : found))
      const known = unspentBy([...next.values()].flatMap(({ payments }) => payments))
      const fresh = new Map([...known, ...freshIn(news, watched)])
      for (const found of news) next.set(found.txid, orNothing(foundIn([found], watched, fresh)))
      pool = next
      return together([...pool.values()])
    },
    transaction: async (id): Promise<TransactionState> => {
      const found = await askUnless(NOT_FOUND, {
        method: 'getrawtransaction',
        params: [id, true],
        schema: mined,
      })
      // Without an index of transactions, a node finds those of its pool alone.
      if (!found) return { state: 'UNKNOWN' }
      if (found.blockhash === undefined) return { state: 'PENDING' }
      const { height } = await ask({
        method: 'getblockheader',
        params: [found.blockhash],
        schema: z.object({ height: number }),
      })
      return { state: 'MINED', height, hash: found.blockhash, succeeded: true }
    },
    findsAll: async () => {
      const { txindex } = await ask({
        method: 'getindexinfo',
        params: ['txindex'],
        schema: z.object({ txindex: z.object({ synced: z.boolean() }).optional() }),
      })
      return txindex?.synced === true
    },
  }
}
