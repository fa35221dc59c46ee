/** The pool's reserve and committed interest, an account of each on every shard. Whole cents. */
export type SubAccounts = {
  readonly reserve: number[]
  readonly committed: number[]
}

/** Cents that a sweep moves between the reserves of two shards, in one transaction of both. */
export type Transfer = { readonly from: number; readonly to: number; readonly amount: number }

export const openSubAccounts = (shards: number): SubAccounts => ({
  reserve: Array.from({ length: shards }, () => 0),
  committed: Array.from({ length: shards }, () => 0),
})

const change = (balances: number[], shard: number, amount: number): void => {
  balances[shard] = balanceOf(balances, shard) + amount
}

export const balanceOf = (balances: readonly number[], shard: number): number => {
  const balance = balances[shard]
  if (balance === undefined) throw new Error(`there is no shard ${shard}`)
  return balance
}

export const total = (balances: readonly number[]): number =>
  balances.reduce((sum, balance) => sum + balance, 0)

export const contribute = ({ reserve }: SubAccounts, shard: number, amount: number): void =>
  change(reserve, shard, amount)

/** Commits the interest of an investment. False when the shard's reserve does not cover it. */
export const commitInterest = (
  { reserve, committed }: SubAccounts,
  shard: number,
  interest: number,
): boolean => {
  if (balanceOf(reserve, shard) < interest) return false
  change(reserve, shard, -interest)
  change(committed, shard, interest)
  return true
}

/** Pays committed interest to an investor of the shard. */
export const payInterest = ({ committed }: SubAccounts, shard: number, interest: number): void => {
  if (balanceOf(committed, shard) < interest)
    throw new Error(`shard ${shard} has not committed ${interest} cents`)
  change(committed, shard, -interest)
}

/** Transfers that give every shard the same reserve, to a cent. At most one less than shards. */
export const planSweep = (reserve: readonly number[]): readonly Transfer[] => {
  const all = total(reserve)
  const share = Math.floor(all / reserve.length)
  const rest = all - share * reserve.length
  const wanted = reserve.map((balance, shard) => balance - share - (shard < rest ? 1 : 0))
  const givers = [...wanted.entries()].filter(([, amount]) => amount > 0)
  const takers = [...wanted.entries()].filter(([, amount]) => amount < 0)
  const transfers: Transfer[] = []
  let giver = givers.shift()
  let taker = takers.shift()
  while (giver && taker) {
    const amount = Math.min(giver[1], -taker[1])
    transfers.push({ from: giver[0], to: taker[0], amount })
    giver[1] -= amount
    taker[1] += amount
    if (giver[1] === 0) giver = givers.shift()
    if (taker[1] === 0) taker = takers.shift()
  }
  return transfers
}

/** Moves what is still there of a planned transfer. Returns the cents moved. */
export const sweep = ({ reserve }: SubAccounts, { from, to, amount }: Transfer): number => {
  const moved = Math.min(amount, balanceOf(reserve, from))
  change(reserve, from, -moved)
  change(reserve, to, moved)
  return moved
}
