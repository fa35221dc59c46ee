/** Transactions of Solana that spend coins of watched addresses, by the balances around each. */
import { solana } from '../../base/chains/solana.ts'
import { coins } from './coins.ts'
import { INNER, type SentCoins, type Spending, type SpentCoins } from './node.ts'

/** Balances before and after a transaction. */
export type Balances = {
  readonly id: string
  readonly isFailed: boolean
  /** Lamports that the first account paid for it. */
  readonly fee: bigint
  /** Each account with its change in lamports, the fee of the first one among it. */
  readonly lamports: readonly {
    readonly address: string
    readonly change: bigint
    /** True for an account that keeps tokens, before or after. */
    readonly isOfTokens: boolean
    /** True for one that had nothing before. */
    readonly isNew: boolean
  }[]
  /** Gains and losses of named tokens, each owner and token once. */
  readonly tokens: readonly TokenChange[]
}

export type TokenChange = {
  readonly owner: string
  readonly asset: string
  readonly decimals: number
  readonly change: bigint
  /** The account with most of it. */
  readonly place: number
}

/** A gain or a loss of one account. `address` is null where no wallet has it. */
type Change = {
  readonly place: number
  readonly address: string | null
  readonly change: bigint
}

/** Lamports that keep a new account of tokens: 2,039,280, and some more with extensions. */
const MOST_RENT = 2_500_000n

type Receivers = ReadonlyMap<string, string>

const sumOf = (all: readonly { readonly change: bigint }[]): bigint =>
  all.reduce((sum, { change }) => sum + change, 0n)

/**
 * The coins that left watched addresses, and their receivers (docs/decisions/066). Beside losses of
 * others no receiver but ours is named, so that no coins of others complete a payout.
 */
export const spendingIn = (
  { id, isFailed, fee: paid, lamports, tokens }: Balances,
  receivers: Receivers,
): Spending | undefined => {
  const isOurs = ({ address }: Pick<Change, 'address'>) => receivers.has(address ?? '')
  const paysFee = receivers.has(lamports[0]?.address ?? '')
  const own = paysFee ? paid : 0n
  const rest = { transaction: id, inputs: [] }
  if (isFailed) return own > 0n ? { ...rest, spent: [], sent: [], fee: own } : undefined

  const spent: SpentCoins[] = []
  const sent: SentCoins[] = []
  let unplaced = 0
  /** Writes what left us of one coin. Returns the part that is a fee. */
  const add = (
    coin: { readonly asset: string; readonly decimals: number },
    changes: readonly Change[],
    rent: bigint,
  ): bigint => {
    const lost = changes.filter(({ change }) => change < 0n)
    const ours = lost.filter(isOurs)
    if (ours.length === 0) return 0n
    const isMixed = ours.length < lost.length
    let spare = isMixed ? 0n : rent
    for (const { place, address, change } of ours) {
      const asFee = spare < -change ? spare : -change
      spare -= asFee
      const units = -change - asFee
      const from = receivers.get(address ?? '') ?? ''
      if (units > 0n) spent.push({ ...coin, position: place, address: from, input: null, units })
    }
    const gained = changes.filter(({ change }) => change > 0n)
    for (const { place, address, change } of gained) {
      const isNamed = address !== null && (!isMixed || isOurs({ address }))
      const to = isNamed ? (receivers.get(address) ?? address) : null
      const output = address === null ? INNER - unplaced++ : place
      sent.push({ ...coin, output, address: to, units: change })
    }
    // Coins that were burned, or kept by the token itself, reached no account.
    const burned = -sumOf(changes) - rent
    if (burned > 0n)
      sent.push({ ...coin, output: INNER - unplaced++, address: null, units: burned })
    return isMixed ? 0n : rent - spare
  }
  const isRent = ({ isOfTokens, isNew, change }: Balances['lamports'][number]) =>
    isOfTokens && isNew && change > 0n && change <= MOST_RENT
  const rent = sumOf(lamports.filter(isRent))
  const inCoin = lamports.flatMap((each, place): Change[] => {
    if (isRent(each)) return []
    const { address, isOfTokens, change } = each
    return [
      { place, address: isOfTokens ? null : address, change: place === 0 ? change + paid : change },
    ]
  })
  const ofNetwork = { asset: coins.Solana, decimals: solana.decimals }
  const fee = own + add(ofNetwork, inCoin, rent)
  for (const [asset, all] of Map.groupBy(tokens, (each) => each.asset))
    add(
      { asset, decimals: all[0]?.decimals ?? 0 },
      all.map(({ owner, change, place }) => ({ address: owner, change, place })),
      0n,
    )
  return spent.length > 0 || fee > 0n ? { ...rest, spent, sent, fee } : undefined
}
