import { readFileSync } from 'node:fs'
import { expect, vi } from 'vitest'
import { newAddress } from '../server/testing/addresses.ts'
import {
  asItsOwn,
  LITECOIN_REGTEST,
  type Litecoind,
  startLitecoind,
} from '../server/testing/litecoind.ts'
import { nodeAddress, outputTo } from '../server/testing/ownCoins.ts'
import { askEach } from '../server/testing/playNode.ts'
import {
  type Output,
  openDoor,
  type PlayChain,
  type PlayCoin,
  type SentCoins,
} from './playChain.ts'

/** More than the deepest reorganisation of a case, so that no block of it is deep enough. */
const CONFIRMATIONS = 12
const COINBASE_DEPTH = 100
/** The number of an input that may be replaced (BIP 125). A low one would bind it to a height. */
const REPLACEABLE = 0xfffffffd
const SATOSHIS = 8

type Transaction = {
  readonly txid: string
  readonly vin: readonly {
    readonly txid?: string
    readonly vout: number
    readonly coinbase?: string
  }[]
  readonly vout: readonly {
    readonly value: number
    readonly n: number
    readonly scriptPubKey: { readonly hex: string }
  }[]
}

const coinsOf = (units: bigint): string => {
  const digits = String(units).padStart(SATOSHIS + 1, '0')
  return `${digits.slice(0, -SATOSHIS)}.${digits.slice(-SATOSHIS)}`
}
const unitsOf = (value: number): bigint => BigInt(value.toFixed(SATOSHIS).replace('.', ''))

const targetOf = ({ url, credentialsFile }: Litecoind) => ({
  url,
  credentials: () => readFileSync(credentialsFile, 'utf8'),
})

/** Pays strangers, since its own new rewards would be unripe again after a reorganisation. */
const stranger = () => asItsOwn(newAddress())

/** The wallet pays no output of nothing, so this amount is taken out before it is signed. */
const PLACEHOLDER = { units: 100_000n, bytes: 'a086010000000000' }

const scriptOf = async ({ ask }: Litecoind, address: string): Promise<string> =>
  (await ask<{ scriptPubKey: string }>('validateaddress', address)).scriptPubKey

/** A transaction without signatures. The node's calls refuse two outputs for one address. */
const rawFor = async (node: Litecoind, sent: readonly SentCoins[]): Promise<string> => {
  const places = sent.map(({ to, units }, at) => {
    const isFirst = sent.findIndex((each) => each.to === to) === at
    return { own: asItsOwn(to), units, place: isFirst ? asItsOwn(to) : stranger() }
  })
  const outputs = places.map(({ place, units }) => ({
    [place]: coinsOf(units || PLACEHOLDER.units),
  }))
  const { hex } = await node.ask<{ hex: string }>(
    'fundrawtransaction',
    await node.ask('createrawtransaction', [], outputs),
    { replaceable: true, changePosition: sent.length },
  )
  let raw = hex
  for (const { own, place, units } of places) {
    const [wanted, written] = [await scriptOf(node, own), await scriptOf(node, place)]
    if (wanted !== written) raw = raw.replace(written, wanted)
    if (units === 0n)
      raw = raw.replace(`${PLACEHOLDER.bytes}16${wanted}`, `${'0'.repeat(16)}16${wanted}`)
  }
  return raw
}

type Sends = {
  /** The transactions that were sent, by their ids. */
  readonly raws: Map<string, string>
  /** Signs and sends. */
  readonly send: (raw: string) => Promise<string>
}

/** Coins of the node's wallet that count as ours. Its other payments never spend them. */
const oursOf =
  (node: Litecoind, { raws, send }: Sends): PlayCoin['ours'] =>
  async (units) => {
    const { ask } = node
    const [address, change] = [
      await nodeAddress(node),
      await nodeAddress(node, 'getrawchangeaddress'),
    ]
    // Other payments of the wallet must not spend it.
    const lock = (output: object) => ask('lockunspent', false, [output])
    let next = { txid: await send(await rawFor(node, [{ to: address, units }])), vout: 0 }
    await lock(next)
    await ask('generatetoaddress', 1, stranger())
    return {
      addresses: [address, change],
      inputs: [{ input: `${next.txid}:0`, units }],
      pay: async (...sent) => {
        const outputs = sent.map((each) => ({ [asItsOwn(each.to)]: coinsOf(each.units) }))
        const raw = await ask<string>('createrawtransaction', [next], outputs, 0, true)
        const { hex } = await ask<{ hex: string }>('fundrawtransaction', raw, {
          add_inputs: false,
          replaceable: true,
          changePosition: sent.length,
          changeAddress: asItsOwn(change),
        })
        next = { txid: await send(hex), vout: sent.length }
        await lock(next)
        return [next.txid]
      },
      bump: async (id) => {
        const { txid } = await ask<{ txid: string }>('bumpfee', id)
        raws.set(txid, await ask('getrawtransaction', txid))
        // The place of the change may be another one now.
        next = await outputTo(node, txid, change)
        await lock(next)
        return txid
      },
    }
  }

/** Starts Litecoin's node, whose calls are those of Bitcoin Core. */
export const startBitcoin = async (): Promise<{ chain: PlayChain; coins: readonly PlayCoin[] }> => {
  // Long: the acts of a play chain and its coin are short functions that share its state.
  const node = await startLitecoind()
  const { ask } = node
  const target = targetOf(node)
  const door = await openDoor(target)
  /** Nodes that a failed test may leave. */
  const apart: Litecoind[] = []
  const raws = new Map<string, string>()
  const rawOf = (id: string): string => raws.get(id) ?? ''
  const mineWith = async (blocks: number, transactions: readonly string[]): Promise<void> => {
    for (let mined = 0; mined < blocks; mined += 1)
      await ask('generateblock', stranger(), mined === 0 ? transactions : [])
  }
  const takeOff = async (depth: number): Promise<void> => {
    const top = await ask<number>('getblockcount')
    await ask('invalidateblock', await ask('getblockhash', top - depth + 1))
  }
  /** Signs and keeps a transaction. */
  const keep = async (raw: string): Promise<string> => {
    const { hex } = await ask<{ hex: string }>('signrawtransactionwithwallet', raw)
    const { txid } = await ask<Transaction>('decoderawtransaction', hex)
    raws.set(txid, hex)
    return txid
  }
  const send = async (raw: string): Promise<string> =>
    ask<string>('sendrawtransaction', rawOf(await keep(raw)), 0)
  /** Spends the inputs of a transaction for a stranger. */
  const doubleSpend = async (id: string): Promise<string> => {
    const { vin, vout } = await ask<Transaction>('decoderawtransaction', rawOf(id))
    const sum = vout.reduce((before, { value }) => before + unitsOf(value), 0n)
    const inputs = vin.map(({ txid, vout }) => ({ txid, vout, sequence: REPLACEABLE }))
    return send(
      await ask('createrawtransaction', inputs, [{ [stranger()]: coinsOf(sum - 1_000_000n) }]),
    )
  }
  const other = async () => {
    const started = await startLitecoind()
    apart.push(started)
    await started.mine((await ask<number>('getblockcount')) + 50)
    return { ...targetOf(started), stop: started.stop }
  }
  // All rewards of its wallet are ripe from now on.
  await ask('generatetoaddress', 120, stranger())

  const chain: PlayChain = {
    network: 'Bitcoin',
    entry: {
      kind: 'bitcoin',
      url: door.url,
      genesis: LITECOIN_REGTEST,
      confirmations: CONFIRMATIONS,
      smallUpTo: 0,
      pollSeconds: 3_600,
      stuckAfterMinutes: 1_440,
    },
    door,
    depth: CONFIRMATIONS,
    mine: async (blocks = 1) => void (await ask('generatetoaddress', blocks, stranger())),
    logIndexOf: async () => undefined,
    // Payments are seen in its pool, at the moment of the look.
    passSecond: async () => undefined,
    reorganise: async (depth, kept) => {
      await takeOff(depth)
      await mineWith(depth + 1, kept.map(rawOf))
    },
    vanish: async (id) => {
      await takeOff(1)
      await doubleSpend(id)
      await mineWith(2, [])
    },
    revive: (id) => mineWith(1, [rawOf(id)]),
    height: () => ask('getblockcount'),
    hashAt: (height) => ask('getblockhash', height),
    confirmed: async (addresses) => {
      const scripts = await askEach<{ scriptPubKey: string }>(
        { url: node.url, credentials: target.credentials() },
        'validateaddress',
        addresses.map((address) => [asItsOwn(address)]),
      )
      const owners = new Map(scripts.map(({ scriptPubKey }, at) => [scriptPubKey, addresses[at]]))
      return outputsOf(node, owners)
    },
    fork: async () => {
      const second = await startLitecoind({ peer: node.peer })
      apart.push(second)
      const wanted = await ask('getbestblockhash')
      const isThere = async () => expect(await second.ask('getbestblockhash')).toBe(wanted)
      await vi.waitFor(isThere, { timeout: 60_000, interval: 50 })
      await second.ask('setnetworkactive', false)
      return {
        ...targetOf(second),
        mine: async (blocks, transactions = []) => {
          for (let mined = 0; mined < blocks; mined += 1)
            await second.ask(
              'generateblock',
              stranger(),
              mined === 0 ? transactions.map(rawOf) : [],
            )
        },
        stop: second.stop,
      }
    },
    other,
    stop: async () => {
      await Promise.all([node, ...apart].map(({ stop }) => stop()))
    },
  }
  const coin: PlayCoin = {
    network: 'Bitcoin',
    coin: 'BTC',
    decimals: SATOSHIS,
    chain,
    pay: async (...sent) => {
      const raw = await rawFor(node, sent)
      if (sent.every(({ units }) => units > 0n)) return send(raw)
      // The pool takes no output of nothing, and a block does.
      const id = await keep(raw)
      await mineWith(1, [rawOf(id)])
      return id
    },
    outbid: async (id, sent) => {
      if (!sent) return doubleSpend(id)
      const { txid } = await ask<{ txid: string }>('bumpfee', id)
      raws.set(txid, await ask('getrawtransaction', txid))
      return txid
    },
    ours: oursOf(node, { raws, send }),
    mineTo: async (address) => void (await ask('generatetoaddress', 1, asItsOwn(address))),
    killNode: async (whileDown) => {
      // A kill loses the blocks that are not on the disk yet. This call puts them there.
      await ask('gettxoutsetinfo')
      await node.restart(whileDown)
    },
  }
  return { chain, coins: [coin] }
}

/** Reads every block, and each output that pays one of these scripts. */
const outputsOf = async (
  node: Litecoind,
  owners: ReadonlyMap<string, string | undefined>,
): Promise<Output[]> => {
  const at = { url: node.url, credentials: targetOf(node).credentials() }
  const top = await node.ask<number>('getblockcount')
  const heights = Array.from({ length: top }, (_, height) => [height + 1])
  const hashes = await askEach<string>(at, 'getblockhash', heights)
  const blocks = await askEach<{ height: number; tx: Transaction[] }>(
    at,
    'getblock',
    hashes.map((hash) => [hash, 2]),
  )
  return blocks.flatMap(({ height, tx }) =>
    tx.flatMap(({ txid, vin, vout }) => {
      const needed = vin.some(({ coinbase }) => coinbase) ? COINBASE_DEPTH : CONFIRMATIONS
      if (top - height + 1 < needed) return []
      return vout.flatMap(({ value, n, scriptPubKey }) => {
        const to = owners.get(scriptPubKey.hex)
        const units = unitsOf(value)
        if (to === undefined || units === 0n) return []
        return { key: `${txid}:${n}`, height, to, coin: 'BTC', units, decimals: SATOSHIS }
      })
    }),
  )
}
