/** Payments in a block of Solana, by the balances before and after each of its transactions. */
import { z } from 'zod'
import { solana } from '../chains/solana.ts'
import type { Mint, SolanaSettings } from '../chainsFile.ts'
import { coins } from './coins.ts'
import { NodeFault } from './fault.ts'
import type { Payment, Watched } from './node.ts'

const digits = z.string().regex(/^\d{1,20}$/)
const tokenBalance = z.object({
  accountIndex: z.number().int().min(0),
  mint: z.string(),
  owner: z.string().optional(),
  uiTokenAmount: z.object({ amount: digits }),
})

/** Names of lists of lamports, which may be larger than a float is exact. */
export const LAMPORTS = ['preBalances', 'postBalances'] as const

/**
 * As `transactionDetails: accounts` gives it. The accounts have those of lookup tables among them,
 * in the order of the balances.
 */
const transaction = z.object({
  transaction: z.object({
    signatures: z.array(z.string()).min(1),
    accountKeys: z.array(z.object({ pubkey: z.string() })),
  }),
  meta: z
    .object({
      err: z.union([z.null(), z.string(), z.looseObject({})]),
      preBalances: z.array(digits),
      postBalances: z.array(digits),
      preTokenBalances: z.array(tokenBalance).nullish(),
      postTokenBalances: z.array(tokenBalance).nullish(),
    })
    .nullable(),
})
type Transaction = z.output<typeof transaction>
type TokenBalance = z.output<typeof tokenBalance>

/** Units that an owner gained of a token, by the place of each account. A loss is below zero. */
type Gain = {
  readonly address: string
  readonly token: Mint
  readonly byPlace: Map<number, bigint>
}
type Receivers = Watched['receivers']

/** The parts of a transaction that tell whether it is one of ours. None has a known form yet. */
type Unread = {
  readonly transaction?: { readonly accountKeys?: unknown }
  readonly meta?: { readonly postTokenBalances?: unknown } | null
}
type Named = { readonly pubkey?: string; readonly owner?: string } | null

/**
 * True for a transaction with a watched account or owner, and for one in another form. A block has
 * thousands, and to read each of them in full takes as long as its slot.
 */
const isOurs = (unread: unknown, receivers: Receivers): boolean => {
  const { transaction, meta } = (unread ?? {}) as Unread
  const [keys, owned] = [transaction?.accountKeys, meta?.postTokenBalances]
  if (!Array.isArray(keys) || !Array.isArray(owned)) return true
  const isWatched = (address: string | undefined): boolean =>
    address === undefined || receivers.has(address)
  return (
    keys.some((key: Named) => isWatched(key?.pubkey)) ||
    owned.some((each: Named) => isWatched(each?.owner))
  )
}

/** Throws unless it has the form that every node gives. */
const readTransaction = (unread: unknown): Transaction => {
  const read = transaction.safeParse(unread)
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw new NodeFault('LYING', `getBlock: ${issue?.path.join('.')} ${issue?.message}`.slice(0, 160))
}

/** Balances before and after. Throws where the node keeps none of a transaction. */
const balancesOf = ({ transaction: { signatures, accountKeys }, meta }: Transaction) => {
  const [id = ''] = signatures
  if (!meta?.preTokenBalances || !meta.postTokenBalances)
    throw new NodeFault('AWAY', `The node keeps no balances of the transaction ${id}`)
  const { err, preBalances, postBalances, preTokenBalances, postTokenBalances } = meta
  if (preBalances.length !== accountKeys.length || postBalances.length !== accountKeys.length)
    throw new NodeFault('LYING', `The balances of ${id} are not those of its accounts`)
  return {
    id,
    isFailed: err !== null,
    preBalances,
    postBalances,
    preTokenBalances,
    postTokenBalances,
  }
}

/** Returns a reader of the payments in one transaction. An address is paid once in each coin. */
export const paymentReader = ({ network, tokens }: SolanaSettings) => {
  const byMint = new Map(tokens.map((token) => [token.mint, token]))

  /** Gains by owner and mint, so that moves between the accounts of one owner pay nothing. */
  const gainsOf = (
    before: readonly TokenBalance[],
    after: readonly TokenBalance[],
    receivers: Receivers,
  ): Gain[] => {
    const gains = new Map<string, Gain>()
    const add = ({ mint, owner, accountIndex, uiTokenAmount }: TokenBalance, sign: bigint) => {
      const token = byMint.get(mint)
      if (!token) return
      if (owner === undefined)
        throw new NodeFault('LYING', `A balance of ${token.symbol} has no owner`)
      const address = receivers.get(owner)
      if (address === undefined) return
      const gain = gains.get(`${owner} ${mint}`) ?? { address, token, byPlace: new Map() }
      gains.set(`${owner} ${mint}`, gain)
      const { byPlace } = gain
      byPlace.set(
        accountIndex,
        (byPlace.get(accountIndex) ?? 0n) + sign * BigInt(uiTokenAmount.amount),
      )
    }
    for (const each of before) add(each, -1n)
    for (const each of after) add(each, 1n)
    return [...gains.values()]
  }

  return (unread: unknown, { receivers }: Watched): Payment[] => {
    if (!isOurs(unread, receivers)) return []
    const read = readTransaction(unread)
    const { id, isFailed, ...balances } = balancesOf(read)
    if (isFailed) return []
    const { preBalances, postBalances, preTokenBalances, postTokenBalances } = balances
    const rest = { transaction: id, inputs: [], isCoinbase: false }
    // The coins of a token's account are its deposit for being kept, and not its owner's.
    const ofTokens = new Set(
      [...preTokenBalances, ...postTokenBalances].map(({ accountIndex }) => accountIndex),
    )
    const inCoin = read.transaction.accountKeys.flatMap(({ pubkey }, output) => {
      const address = receivers.get(pubkey)
      if (address === undefined || ofTokens.has(output)) return []
      const units = BigInt(postBalances[output] ?? 0) - BigInt(preBalances[output] ?? 0)
      if (units <= 0n) return []
      return { ...rest, output, address, asset: coins[network], units, decimals: solana.decimals }
    })
    const inTokens = gainsOf(preTokenBalances, postTokenBalances, receivers).flatMap(
      ({ address, token: { symbol: asset, decimals }, byPlace }) => {
        const units = [...byPlace.values()].reduce((sum, gained) => sum + gained, 0n)
        if (units <= 0n) return []
        const most = [...byPlace].reduce((one, other) => (other[1] > one[1] ? other : one))
        return { ...rest, output: most[0], address, asset, units, decimals }
      },
    )
    return [...inCoin, ...inTokens]
  }
}
