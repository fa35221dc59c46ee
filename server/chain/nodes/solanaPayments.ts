/** Payments and spendings of Solana, by the balances before and after each transaction. */
import { z } from 'zod'
import { solana } from '../../base/chains/solana.ts'
import type { Mint, SolanaSettings } from '../../base/configuration/chainsFile.ts'
import { coins } from './coins.ts'
import { NodeFault } from './fault.ts'
import type { Payment, Spending, Watched } from './node.ts'
import { type Balances, spendingIn, type TokenChange } from './solanaSpendings.ts'

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
      /** Lamports. Far from what a float does not tell exactly. */
      fee: z.number().int().min(0),
      preBalances: z.array(digits),
      postBalances: z.array(digits),
      preTokenBalances: z.array(tokenBalance).nullish(),
      postTokenBalances: z.array(tokenBalance).nullish(),
    })
    .nullable(),
})
type Transaction = z.output<typeof transaction>
type TokenBalance = z.output<typeof tokenBalance>

type Receivers = Watched['receivers']

/** The parts of a transaction that tell whether it is one of ours. None has a known form yet. */
type Unread = {
  readonly transaction?: { readonly accountKeys?: unknown }
  readonly meta?: {
    readonly preTokenBalances?: unknown
    readonly postTokenBalances?: unknown
  } | null
}
type Holder = { readonly pubkey?: string; readonly owner?: string } | null

/**
 * True for a transaction with a watched account or owner, and for one in another form. A block has
 * thousands, and to read each of them in full takes as long as its slot.
 */
const isOurs = (unread: unknown, receivers: Receivers): boolean => {
  const { transaction, meta } = (unread ?? {}) as Unread
  const [keys, had, owned] = [
    transaction?.accountKeys,
    meta?.preTokenBalances,
    meta?.postTokenBalances,
  ]
  if (!Array.isArray(keys) || !Array.isArray(had) || !Array.isArray(owned)) return true
  const isWatched = (address: string | undefined): boolean =>
    address === undefined || receivers.has(address)
  return (
    keys.some((key: Holder) => isWatched(key?.pubkey)) ||
    owned.some((each: Holder) => isWatched(each?.owner)) ||
    // One whose account was closed has none any more.
    had.some((each: Holder) => isWatched(each?.owner))
  )
}

/** Throws unless it has the form that every node gives. */
const readTransaction = (unread: unknown): Transaction => {
  const read = transaction.safeParse(unread)
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw new NodeFault('LYING', `getBlock: ${issue?.path.join('.')} ${issue?.message}`.slice(0, 160))
}

/** The tokens that a cluster's settings name, by mint. */
type TokensByMint = ReadonlyMap<string, Mint>

/** Changes by owner and mint, so that moves between the accounts of one owner are none. */
const tokenChanges = (
  before: readonly TokenBalance[],
  after: readonly TokenBalance[],
  named: TokensByMint,
): TokenChange[] => {
  const all = new Map<string, { owner: string; token: Mint; byPlace: Map<number, bigint> }>()
  const add = ({ mint, owner, accountIndex, uiTokenAmount }: TokenBalance, sign: bigint) => {
    const token = named.get(mint)
    if (!token) return
    if (owner === undefined)
      throw new NodeFault('LYING', `A balance of ${token.symbol} has no owner`)
    const found = all.get(`${owner} ${mint}`) ?? { owner, token, byPlace: new Map() }
    all.set(`${owner} ${mint}`, found)
    const { byPlace } = found
    byPlace.set(
      accountIndex,
      (byPlace.get(accountIndex) ?? 0n) + sign * BigInt(uiTokenAmount.amount),
    )
  }
  for (const each of before) add(each, -1n)
  for (const each of after) add(each, 1n)
  return [...all.values()].map(({ owner, token: { symbol: asset, decimals }, byPlace }) => {
    const change = [...byPlace.values()].reduce((sum, each) => sum + each, 0n)
    const isMore = (one: bigint, other: bigint) => (change < 0n ? one < other : one > other)
    const [place] = [...byPlace].reduce((one, other) => (isMore(other[1], one[1]) ? other : one))
    return { owner, asset, decimals, change, place }
  })
}

/** Balances before and after. Throws where the node keeps none of a transaction. */
const balancesOf = (
  { transaction: { signatures, accountKeys }, meta }: Transaction,
  named: TokensByMint,
): Balances => {
  const [id = ''] = signatures
  if (!meta?.preTokenBalances || !meta.postTokenBalances)
    throw new NodeFault('AWAY', `The node keeps no balances of the transaction ${id}`)
  const { err, fee, preBalances, postBalances, preTokenBalances, postTokenBalances } = meta
  if (preBalances.length !== accountKeys.length || postBalances.length !== accountKeys.length)
    throw new NodeFault('LYING', `The balances of ${id} are not those of its accounts`)
  // The coins of a token's account are its deposit for being kept, and not its owner's.
  const ofTokens = new Set(
    [...preTokenBalances, ...postTokenBalances].map(({ accountIndex }) => accountIndex),
  )
  return {
    id,
    isFailed: err !== null,
    fee: BigInt(fee),
    lamports: accountKeys.map(({ pubkey: address }, place) => ({
      address,
      isOfTokens: ofTokens.has(place),
      isNew: preBalances[place] === '0',
      change: BigInt(postBalances[place] ?? 0) - BigInt(preBalances[place] ?? 0),
    })),
    tokens: tokenChanges(preTokenBalances, postTokenBalances, named),
  }
}

/** The payments in a transaction. An address is paid once in each coin. */
const paymentsIn = (
  { id, isFailed, lamports, tokens }: Balances,
  receivers: Receivers,
): Payment[] => {
  if (isFailed) return []
  const rest = { transaction: id, inputs: [], isCoinbase: false }
  const inCoin = lamports.flatMap(({ address: key, isOfTokens, change: units }, output) => {
    const address = receivers.get(key)
    if (address === undefined || isOfTokens || units <= 0n) return []
    return { ...rest, output, address, asset: coins.Solana, units, decimals: solana.decimals }
  })
  const inTokens = tokens.flatMap(({ owner, asset, decimals, change: units, place: output }) => {
    const address = receivers.get(owner)
    if (address === undefined || units <= 0n) return []
    return { ...rest, output, address, asset, units, decimals }
  })
  return [...inCoin, ...inTokens]
}

export type ReadBlockEntry = {
  readonly payments: readonly Payment[]
  readonly spending: Spending | undefined
}
const NOTHING: ReadBlockEntry = { payments: [], spending: undefined }

/** Returns a reader of what one transaction pays watched addresses, and of what it spends. */
export const transactionReader = ({ tokens }: SolanaSettings) => {
  const named = new Map(tokens.map((token) => [token.mint, token]))
  return (unread: unknown, { receivers }: Watched): ReadBlockEntry => {
    if (!isOurs(unread, receivers)) return NOTHING
    const balances = balancesOf(readTransaction(unread), named)
    return {
      payments: paymentsIn(balances, receivers),
      spending: spendingIn(balances, receivers),
    }
  }
}
