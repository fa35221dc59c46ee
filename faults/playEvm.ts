import type { Coin } from '@pool/contract/base/assets'
import type { NetworkName } from '@pool/contract/base/networks'
import { newAddress } from '../server/testing/addresses.ts'
import {
  ANVIL_CHAIN,
  type Anvil,
  type FeeToken,
  feeToken,
  type PlayToken,
  playForwarder,
  playToken,
  startAnvil,
} from '../server/testing/anvil.ts'
import { askEach } from '../server/testing/playNode.ts'
import { type Output, openDoor, type PlayChain, type PlayCoin } from './playChain.ts'

/** Anvil's final block is two epochs behind its newest. */
const EPOCH = 8
/** A state that Anvil wrote to disk lacks what was put on the chain. */
const IN_MEMORY = ['--prune-history', '100000']
const OPTIONS = ['--no-mining', '--slots-in-an-epoch', String(EPOCH), ...IN_MEMORY]
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const HIGHER = { gasPrice: '0x2e90edd000' }

const hex = (value: number): string => `0x${value.toString(16)}`
const wordOf = (address: string): string => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`

type ERC20 = { readonly symbol: Coin; readonly contract: string; readonly decimals: number }

type Transaction = {
  readonly hash: string
  readonly to: string | null
  readonly value: string
  readonly nonce: string
  readonly blockHash: string | null
  readonly blockNumber: string | null
}
type Log = { readonly logIndex: string; readonly address: string }
type Receipt = {
  readonly transactionHash: string
  readonly status: string
  readonly logs: readonly Log[]
}
type Transfer = Log & {
  readonly topics: readonly string[]
  readonly data: string
  readonly transactionHash: string
  readonly blockNumber: string
}

/**
 * Starts an Ethereum-like node with a USDC, and with a USDT that keeps a fee. `ETH` is a coin of it
 * where the network is Ethereum.
 */
export const startEvm = async (
  network: NetworkName,
  decimals: number,
  tells: 'came' | 'sent',
): Promise<{ chain: PlayChain; coins: readonly PlayCoin[] }> => {
  // Long: the acts of a play chain and its coins are short functions that share its state.
  const anvil = await startAnvil(OPTIONS)
  const { ask } = anvil
  const usdc = await playToken(anvil, decimals)
  const unlisted = await playToken(anvil, decimals, newAddress('Ethereum').toLowerCase())
  const withFee = await feeToken(anvil, decimals, tells)
  const forwarder = await playForwarder(anvil)
  const listed: readonly ERC20[] = [
    { symbol: 'USDC', contract: usdc.contract, decimals },
    { symbol: 'USDT', contract: withFee.contract, decimals },
  ]
  const [, rich = ''] = await ask<string[]>('eth_accounts')
  const door = await openDoor(anvil)
  /** Nodes that a failed test may leave. */
  const apart: Anvil[] = []
  const raws = new Map<string, string>()
  const noted = async (id: string): Promise<string> => {
    raws.set(id, await ask('eth_getRawTransactionByHash', id))
    return id
  }
  const mine = async (blocks = 1) => void (await ask('anvil_mine', hex(blocks)))
  /** Takes blocks off. Transactions of a stranger come first in the new ones. */
  const reorganise = async (depth: number, kept: readonly string[]): Promise<void> => {
    const strangers = [
      { from: rich, to: usdc.contract, value: '0x0', data: dataTo(newAddress('Ethereum')) },
      { from: rich, to: newAddress('Ethereum'), value: '0x1' },
    ]
    const first = kept.length > 0 ? strangers : []
    const again = [...first, ...kept.map((id) => raws.get(id))].map((each) => [each, 0])
    await ask('anvil_reorg', depth, again)
    await mine()
  }

  const chain: PlayChain = {
    network,
    entry: {
      kind: 'evm',
      url: door.url,
      chainId: ANVIL_CHAIN,
      tokens: listed,
      pollSeconds: 3_600,
      stuckAfterMinutes: 1_440,
      unfinalAfterMinutes: 1_440,
    },
    door,
    depth: 2 * EPOCH + 1,
    mine,
    logIndexOf: async (id) =>
      (await ask<Receipt | null>('eth_getTransactionReceipt', id))?.logs[0]?.logIndex,
    passSecond: () => ask('evm_increaseTime', 2),
    reorganise,
    vanish: () => reorganise(1, []),
    revive: async (id) => {
      await ask('eth_sendRawTransaction', raws.get(id))
      await mine()
    },
    height: async () => Number(await ask<string>('eth_blockNumber')),
    hashAt: async (height) =>
      (await ask<{ hash: string }>('eth_getBlockByNumber', hex(height), false)).hash,
    confirmed: (addresses) => outputsOf(anvil, listed, { addresses, own: ownCoin(network) }),
    fork: async () => {
      const top = Number(await ask<string>('eth_blockNumber'))
      // The second node asks the first, which must not tell of its later transactions.
      const early = await openDoor(anvil)
      early.set(async ({ method }, forward) => {
        const text = await forward()
        if (!/^eth_getTransaction(ByHash|Receipt)$/.test(method ?? '')) return text
        const { id, result } = JSON.parse(text) as { id: number; result: Transaction | null }
        const isLater = result && !(Number(result.blockNumber ?? Number.NaN) <= top)
        return isLater ? JSON.stringify({ jsonrpc: '2.0', id, result: null }) : text
      })
      const second = await startAnvil([
        ...OPTIONS,
        '--fork-url',
        early.url,
        '--fork-block-number',
        String(top),
      ])
      apart.push(second)
      return {
        url: second.url,
        mine: async (blocks, transactions = []) => {
          for (const id of transactions) await second.ask('eth_sendRawTransaction', raws.get(id))
          await second.ask('anvil_mine', hex(blocks))
        },
        stop: second.stop,
      }
    },
    other: async () => {
      const other = await startAnvil(OPTIONS)
      apart.push(other)
      await playToken(other, decimals)
      await feeToken(other, decimals, tells)
      await other.ask('anvil_mine', hex(Number(await ask('eth_blockNumber')) + 50))
      return { url: other.url, stop: other.stop }
    },
    stop: async () => {
      await Promise.all([anvil, ...apart].map(({ stop }) => stop()))
    },
  }

  const means = { anvil, chain, noted }
  const token = tokenCoin(means, { usdc, unlisted, withFee, decimals })
  const exchange = await playExchange(anvil, usdc)
  const ether = { ...etherCoin(means, forwarder), convert: exchange }
  return { chain, coins: network === 'Ethereum' ? [ether, token] : [token] }
}

type EvmTools = {
  readonly anvil: Anvil
  readonly chain: PlayChain
  /** Keeps a transaction as it was sent. */
  readonly noted: (id: string) => Promise<string>
}
type Send = (more: object) => Promise<string>

/** Sends with the number of a transaction that waits, or is in the newest block. */
const outbidBy = async ({ anvil, noted }: EvmTools, id: string, send?: Send): Promise<string> => {
  const found = await anvil.ask<Transaction>('eth_getTransactionByHash', id)
  if (found.blockHash !== null) await anvil.ask('anvil_reorg', 1, [])
  const more = { nonce: found.nonce, ...HIGHER }
  return noted(await (send?.(more) ?? anvil.pay(newAddress('Ethereum'), 1n, more)))
}

/** The account that pays all coins. A block of its own keeps the order of its payments. */
const oursOf = (
  { anvil }: EvmTools,
  { pay, outbid }: Pick<PlayCoin, 'pay' | 'outbid'>,
): PlayCoin['ours'] => {
  const addresses = [anvil.payer]
  return async () => ({
    addresses,
    inputs: [],
    bump: outbid,
    pay: async (...sent) => {
      const ids: string[] = []
      for (const each of sent) ids.push(await pay(each))
      return ids
    },
  })
}

type Tokens = {
  readonly usdc: PlayToken
  readonly unlisted: PlayToken
  readonly withFee: FeeToken
  readonly decimals: number
}

const waysOfToken = (means: EvmTools, usdc: PlayToken): Pick<PlayCoin, 'pay' | 'outbid'> => ({
  pay: async (first, second) => {
    if (!first) throw new Error('There is nothing to pay')
    const { to, units } = first
    return means.noted(await (second ? usdc.sendBoth(to, second.to, units) : usdc.send(to, units)))
  },
  outbid: (id, sent) =>
    outbidBy(means, id, sent && ((more) => usdc.send(sent.to, sent.units, more))),
})

const tokenCoin = (means: EvmTools, { usdc, unlisted, withFee, decimals }: Tokens): PlayCoin => ({
  network: means.chain.network,
  coin: 'USDC',
  decimals,
  chain: means.chain,
  ...waysOfToken(means, usdc),
  ours: oursOf(means, waysOfToken(means, usdc)),
  // Enough gas to begin, and too little for the event.
  payWithFailure: ({ to, units }) => usdc.send(to, units, { gas: '0x5800' }),
  payUnknownToken: ({ to, units }) => unlisted.send(to, units),
  payWithFee: async ({ to, units }) => {
    await withFee.send(to, units)
    return () => withFee.balanceOf(to)
  },
})

const waysOfEther = (means: EvmTools): Pick<PlayCoin, 'pay' | 'outbid'> => ({
  pay: async (sent) => means.noted(await means.anvil.pay(sent?.to ?? '', sent?.units ?? 0n)),
  outbid: (id, sent) =>
    outbidBy(means, id, sent && ((more) => means.anvil.pay(sent.to, sent.units, more))),
})

const etherCoin = (
  means: EvmTools,
  { send }: { readonly send: (to: string, units: bigint) => Promise<string> },
): PlayCoin => ({
  network: means.chain.network,
  coin: 'ETH',
  decimals: 18,
  chain: means.chain,
  ...waysOfEther(means),
  ours: oursOf(means, waysOfEther(means)),
  payWithFailure: async ({ to, units }) => {
    // Code that reverts every call.
    await means.anvil.ask('anvil_setCode', to, '0x60006000fd')
    return means.anvil.pay(to, units, { gas: '0x186a0' })
  },
  payThroughContract: async ({ to, units }) => {
    await send(to, units)
    return async () => BigInt(await means.anvil.ask<string>('eth_getBalance', to, 'latest'))
  },
})

/** Puts a contract on the chain that gives its caller 10 dollars of a token for ether. */
const playExchange = async (anvil: Anvil, { contract, callOf }: PlayToken) => {
  const address = newAddress('Ethereum').toLowerCase()
  const data = callOf(anvil.payer, 10_000_000n).padEnd(3 * 64, '0')
  const stores = [0, 1, 2].map((at) => `7f${data.slice(at * 64, at * 64 + 64)}60${at * 2}052`)
  const call = `6000600060446000600073${contract.slice(2)}5af100`
  await anvil.ask('anvil_setCode', address, `0x${stores.join('')}${call}`)
  return (units: bigint) => anvil.pay(address, units, { gas: '0x30d40' })
}

const ownCoin = (network: NetworkName): string => (network === 'Ethereum' ? 'ETH' : 'BNB')

/** A transfer of one unit. */
const dataTo = (address: string): string =>
  `0xa9059cbb${wordOf(address).slice(2)}${'1'.padStart(64, '0')}`

/** Reads every final block and every log, and what of them pays these addresses. */
const outputsOf = async (
  { url, ask }: Anvil,
  listed: readonly ERC20[],
  { addresses, own }: { readonly addresses: readonly string[]; readonly own: string },
): Promise<Output[]> => {
  const at = { url }
  const final = Number(
    (await ask<{ number: string }>('eth_getBlockByNumber', 'finalized', false)).number,
  )
  const heights = Array.from({ length: final + 1 }, (_, height) => [hex(height), true])
  const blocks = await askEach<{ number: string; transactions: readonly Transaction[] }>(
    at,
    'eth_getBlockByNumber',
    heights,
  )
  const byWord = new Map(addresses.map((address) => [wordOf(address), address]))
  const transfers = await ask<Transfer[]>('eth_getLogs', {
    fromBlock: '0x0',
    toBlock: hex(final),
    address: listed.map(({ contract }) => contract),
    topics: [TRANSFER, null, [...byWord.keys()]],
  })
  const sent = blocks.flatMap(({ number, transactions }) =>
    transactions
      .filter(({ to, value }) => to !== null && byWord.has(wordOf(to)) && BigInt(value) > 0n)
      .map((each) => ({ ...each, height: Number(number) })),
  )
  const ids = [...transfers.map((each) => each.transactionHash), ...sent.map(({ hash }) => hash)]
  const receipts = new Map(
    (
      await askEach<Receipt>(
        at,
        'eth_getTransactionReceipt',
        [...new Set(ids)].map((id) => [id]),
      )
    ).map((receipt) => [receipt.transactionHash, receipt]),
  )
  const ofCoin = sent
    .filter(({ hash }) => receipts.get(hash)?.status === '0x1')
    .map(({ hash, to, value, height }) => ({
      key: hash,
      height,
      to: byWord.get(wordOf(to ?? '')) ?? '',
      coin: own,
      units: BigInt(value),
      decimals: 18,
    }))
  const ofTokens = transfers
    .filter(({ data }) => BigInt(data) > 0n)
    .map(({ transactionHash, logIndex, address, topics, data, blockNumber }) => {
      const logs = receipts.get(transactionHash)?.logs ?? []
      const { symbol, decimals } = listed.find(({ contract }) => contract === address) as ERC20
      return {
        key: `${transactionHash}:${logs.findIndex((each) => each.logIndex === logIndex)}`,
        height: Number(blockNumber),
        to: byWord.get(topics[2] ?? '') ?? '',
        coin: symbol,
        units: BigInt(data),
        decimals,
      }
    })
  return [...ofCoin, ...ofTokens]
}
