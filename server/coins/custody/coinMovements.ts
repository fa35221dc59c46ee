/** The coin movements that a transaction on a chain causes (docs/product.md 5.24). */
import {
  type CoinAccount,
  type CoinMovementKind,
  type OwnAccount,
  ownAccounts,
} from '@pool/contract/coins/custody'

type Units = { readonly asset: string; readonly decimals: number; readonly units: bigint }

/** A confirmed payment to an address of ours. */
export type PaidCoins = Units & {
  readonly id: string
  /** As `payments.output` counts. */
  readonly output: number
  readonly account: OwnAccount
  readonly height: number
}

/** A confirmed spending of our coins. */
export type Spending = {
  readonly id: string
  readonly height: number
  readonly feeUnits: bigint
  readonly feeAsset: string
  readonly feeDecimals: number
  /** True where the fee is the part of the spent coins that no output received, as on Bitcoin. */
  readonly feeIsSpent: boolean
  readonly isSettled: boolean
  readonly spent: readonly (Units & { readonly account: OwnAccount })[]
  /** The receivers. The account is null for an address of others. */
  readonly sent: readonly (Units & {
    readonly output: number
    readonly account: OwnAccount | null
    /** The units that a payout of its batch, or a withdrawal that staff marked, owes. */
    readonly explained: bigint
  })[]
}

/** The confirmed facts of one transaction. */
export type TransactionFacts = {
  readonly payments: readonly PaidCoins[]
  /** Undefined where it spends no coins of ours. */
  readonly spending: Spending | undefined
}

export type CoinMovement = Units & {
  readonly kind: CoinMovementKind
  readonly from: CoinAccount
  readonly to: CoinAccount
  readonly cause: 'PAYMENT' | 'SPENDING' | 'SETTLEMENT'
  readonly causeId: string
  readonly height: number
}

/** Coins of an investor's address came from investors. All others were put in by the operator. */
const originOf = (account: OwnAccount): CoinAccount =>
  account === 'deposit' ? 'investors' : 'funding'

/** The movements that facts cause. Our accounts change by what came in, less what went out. */
export const movementsOf = ({ payments, spending }: TransactionFacts): CoinMovement[] => {
  if (spending) return movementsOfSpending(spending, payments)
  return payments.map(({ id, account, asset, decimals, units, height }) => ({
    asset,
    decimals,
    units,
    height,
    kind: 'RECEIVED',
    from: originOf(account),
    to: account,
    cause: 'PAYMENT',
    causeId: id,
  }))
}

/** The coins that are left to match on one side, paying or receiving. */
type Part<Account> = { readonly account: Account; left: bigint }

const movementsOfSpending = (
  spending: Spending,
  payments: readonly PaidCoins[],
): CoinMovement[] => {
  const received = receivedBy(spending, payments)
  const all = [...spending.spent, ...received]
  const assets = new Map(all.map(({ asset, decimals }) => [asset, decimals]))
  const isSwap = received.some(
    ({ asset, account }) =>
      account !== null && !spending.spent.some((each) => each.asset === asset),
  )
  const moved = [...assets].flatMap(([asset, decimals]) =>
    movementsOfAsset({ spending, received, isSwap, asset, decimals }),
  )
  return [...moved, ...gasOf(spending)]
}

/** The outputs that it paid. A payment says more of an output than the spending. */
const receivedBy = ({ sent }: Spending, payments: readonly PaidCoins[]) => {
  const paid = new Set(payments.map(({ output, asset }) => `${output} ${asset}`))
  return [...payments, ...sent.filter(({ output, asset }) => !paid.has(`${output} ${asset}`))]
}

type OfAsset = {
  readonly spending: Spending
  readonly received: ReturnType<typeof receivedBy>
  readonly isSwap: boolean
  readonly asset: string
  readonly decimals: number
}

const sumBy = <Account extends string>(
  coins: readonly { readonly account: Account; readonly units: bigint }[],
): Part<Account>[] => {
  const sums = new Map<Account, bigint>()
  for (const { account, units } of coins) sums.set(account, (sums.get(account) ?? 0n) + units)
  return [...sums].map(([account, left]) => ({ account, left }))
}

/**
 * Lets the spent coins of an asset pay the fee, then our own addresses, then others. Inputs of
 * others pay the rest. Spent coins without a receiver are unexplained.
 */
const movementsOfAsset = ({ spending, received, isSwap, asset, decimals }: OfAsset) => {
  const ofAsset = <Coins extends Units>(coins: readonly Coins[]) =>
    coins.filter((each) => each.asset === asset)
  const sources = sumBy(ofAsset(spending.spent))
  const own = sumBy(ofAsset(received).flatMap((each) => ownOf(each)))
  const toOthers = ofAsset(spending.sent).filter(({ account }) => account === null)
  const explained = toOthers.reduce((sum, each) => sum + each.explained, 0n)
  const beyond = toOthers.reduce((sum, { units }) => sum + units, -explained)
  const fee = spending.feeIsSpent && spending.feeAsset === asset ? spending.feeUnits : 0n
  const sinks: Part<CoinAccount>[] = [
    { account: 'network', left: fee },
    ...own,
    { account: 'payouts', left: explained },
    { account: isSwap ? 'converted' : 'unexplained', left: beyond },
    // More was spent than was received.
    { account: 'unexplained', left: sources.reduce((sum, { left }) => sum + left, 0n) },
  ]
  const made: CoinMovement[] = []
  const move = (from: CoinAccount, to: CoinAccount, units: bigint) => {
    if (units > 0n && from !== to)
      made.push(movement(spending, { asset, decimals, from, to, units }))
  }
  for (const sink of sinks)
    for (const source of sources) {
      const units = source.left < sink.left ? source.left : sink.left
      source.left -= units
      sink.left -= units
      move(source.account, sink.account, units)
    }
  // Others paid our own address in the same transaction.
  for (const { account, left } of own) move(isSwap ? 'converted' : originOf(account), account, left)
  const unexplained = made.filter(({ to }) => to === 'unexplained')
  if (spending.isSettled) for (const { units } of unexplained) move('unexplained', 'settled', units)
  return made
}

const ownOf = <Coins extends { readonly account: OwnAccount | null }>(coins: Coins) =>
  coins.account === null ? [] : [{ ...coins, account: coins.account }]

type Moved = Units & { readonly from: CoinAccount; readonly to: CoinAccount }

const kindOf = ({ from, to }: Moved, isGas: boolean): CoinMovementKind => {
  if (to === 'network') return isGas ? 'GAS' : 'FEE'
  if (to === 'settled') return 'SETTLED'
  if (to === 'unexplained') return 'UNEXPLAINED'
  if (from === 'converted' || to === 'converted') return 'CONVERTED'
  if (to === 'payouts') return 'SENT'
  return from === 'investors' || from === 'funding' ? 'RECEIVED' : 'SWEPT'
}

const movement = ({ id, height, feeIsSpent }: Spending, moved: Moved): CoinMovement => ({
  ...moved,
  kind: kindOf(moved, !feeIsSpent),
  cause: moved.to === 'settled' ? 'SETTLEMENT' : 'SPENDING',
  causeId: id,
  height,
})

/** Gas is paid by the sender, beside what was spent. A Safe is a contract, which never pays it. */
const gasOf = (spending: Spending): CoinMovement[] => {
  const { spent, feeIsSpent, feeAsset: asset, feeDecimals: decimals, feeUnits: units } = spending
  if (feeIsSpent || units === 0n) return []
  const accounts = ownAccounts.filter((each) => spent.some(({ account }) => account === each))
  const [only, ...more] = accounts
  const payer = only !== undefined && more.length === 0 && only !== 'safe' ? only : 'payer'
  return [movement(spending, { asset, decimals, units, from: payer, to: 'network' })]
}
