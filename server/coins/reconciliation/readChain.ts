/** Our coins on a chain at a block that was read (docs/product.md 5.25). */
import { type NetworkName, networks } from '@pool/contract/base/networks'
import type { OwnAccount } from '@pool/contract/coins/custody'
import type { ComparisonProblem } from '@pool/contract/coins/reconciliation'
import { type Kysely, sql } from 'kysely'
import { chainOf } from '../../base/chains/networks.ts'
import type {
  BitcoinSettings,
  ChainSettings,
  EvmSettings,
} from '../../base/configuration/chainsFile.ts'
import type { Schema } from '../../base/db/schema.ts'
import { inPieces } from '../../base/process/pieces.ts'
import { coins } from '../../chain/nodes/coins.ts'
import { NodeFault } from '../../chain/nodes/fault.ts'
import type { BlockName, Limits } from '../../chain/nodes/node.ts'
import { openNode } from '../../chain/nodes/open.ts'
import { isFine } from '../../chain/nodes/stopped.ts'

type Db = Kysely<Schema>

/** Units of a coin on addresses of one class. */
export type ChainLine = {
  readonly asset: string
  readonly decimals: number
  readonly account: OwnAccount
  readonly units: bigint
}

export type ChainCoins = {
  readonly block: BlockName
  readonly addresses: number
  readonly lines: readonly ChainLine[]
}

type Address = { readonly address: string; readonly account: OwnAccount }

/** Every address of ours that may have coins: given to investors or paid once, and our own. */
const readAddresses = async (db: Db, network: NetworkName): Promise<Address[]> => {
  const family = networks.find(({ name }) => name === network)?.family
  const names = networks.filter((each) => each.family === family).map(({ name }) => name)
  const { rows } = await sql<Address>`
    SELECT DISTINCT ON (lower(address)) address, account FROM (
      SELECT address, lower(class) AS account, 1 AS place FROM own_addresses WHERE network_name = ${network}
      UNION ALL
      SELECT address, 'deposit', 2 FROM wallets AS w WHERE network_name = ANY (${names})
        AND (owner_id IS NOT NULL OR EXISTS (SELECT FROM payments AS p WHERE p.address = w.address))) AS ours
    ORDER BY lower(address), place`.execute(db)
  return rows
}

/** A sum for each class and coin, also where it is nothing. */
const sumUp = (parts: readonly ChainLine[]): ChainLine[] => {
  const sums = new Map<string, ChainLine>()
  for (const part of parts) {
    const name = `${part.asset} ${part.account}`
    sums.set(name, { ...part, units: part.units + (sums.get(name)?.units ?? 0n) })
  }
  return [...sums.values()]
}

/**
 * Reads our coins at the newest final block that was read, or in bitcoin at the newest block. A
 * problem where the chain cannot be compared now.
 */
export const readChain = async (
  db: Db,
  settings: ChainSettings,
  limits: Limits,
): Promise<ChainCoins | ComparisonProblem> => {
  if (settings.kind === 'solana') return 'UNSUPPORTED'
  const { rows } = await sql<{ isFine: boolean }>`
    SELECT ${isFine} AS "isFine" FROM chains AS c WHERE network_name = ${settings.network} AND followed_since IS NOT NULL`.execute(
    db,
  )
  const [chain] = rows
  if (!chain) return 'UNREAD'
  if (!chain.isFine) return 'NOT_FINE'
  try {
    return settings.kind === 'evm'
      ? await readEvm(db, settings, limits)
      : await readBitcoin(db, settings, limits)
  } catch (error) {
    if (!(error instanceof NodeFault)) throw error
    return error.state === 'BEHIND' || error.state === 'OTHER_CHAIN' ? error.state : 'AWAY'
  }
}

const readBitcoin = async (db: Db, settings: BitcoinSettings, limits: Limits) => {
  const { network } = settings
  const addresses = await readAddresses(db, network)
  const { receiver, decimals } = chainOf(network)
  const accounts = new Map(
    await inPieces(addresses, ({ address, account }) => [receiver(address), account] as const),
  )
  const node = openNode(settings, limits)
  await node.check()
  const unspent = await node.coinsOf?.([...accounts.keys()])
  if (!unspent) return 'BUSY'
  const { block, units } = unspent
  const lines = [...accounts].map(([script, account]) => ({
    asset: coins[network],
    decimals,
    account,
    units: units.get(script) ?? 0n,
  }))
  return { block, addresses: addresses.length, lines: sumUp(lines) }
}

/** Addresses whose coins are asked for in one go, and such goes at a time. */
const AT_ONCE = 50
const LANES = 4

const readEvm = async (db: Db, settings: EvmSettings, limits: Limits) => {
  const { network } = settings
  const { rows } = await sql<BlockName>`
    SELECT b.height::int, b.hash FROM chains AS c JOIN chain_blocks AS b USING (network_name)
    WHERE c.network_name = ${network} AND b.height <= c.final_height ORDER BY b.height DESC LIMIT 1`.execute(
    db,
  )
  const [block] = rows
  if (!block) return 'UNREAD'
  const addresses = await readAddresses(db, network)
  const accounts = new Map(addresses.map(({ address, account }) => [address, account]))
  const node = openNode(settings, limits)
  await node.check()
  const lines: ChainLine[] = []
  let from = 0
  const lane = async (): Promise<void> => {
    while (from < addresses.length && !limits.stopping?.aborted) {
      const some = addresses.slice(from, from + AT_ONCE)
      from += AT_ONCE
      const balances = await node.balances?.(
        block.height,
        some.map(({ address }) => address),
      )
      for (const { address, asset, decimals, units } of balances ?? [])
        lines.push({ asset, decimals, units, account: accounts.get(address) ?? 'deposit' })
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  if (limits.stopping?.aborted) return 'AWAY'
  // A node of another fork, or one that lags, shows other balances.
  if ((await node.hashAt(block.height)) !== block.hash) return 'OTHER_CHAIN'
  return { block, addresses: addresses.length, lines: sumUp(lines) }
}
