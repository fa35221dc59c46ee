/** The difference of a network's coins and books, line by line (docs/product.md 5.25). */
import { type OwnAccount, ownAccounts } from '@pool/contract/coins/custody'
import type { Books } from './readBooks.ts'
import type { ChainCoins } from './readChain.ts'

export type Line = {
  readonly account: OwnAccount
  readonly chain: bigint
  readonly booked: bigint
  readonly pending: bigint
  readonly unopened: bigint
}

export type Compared = {
  readonly asset: string
  readonly decimals: number
  readonly unexplained: bigint
  /** Capital in the books that no payment covers. */
  readonly uncovered: bigint
  /** The break: what is on the chain, less what books, named differences and staff explain. */
  readonly difference: bigint
  readonly lines: readonly Line[]
}

/**
 * Each coin that the chain or the books have. Units that left unexplained are missing, and so is
 * capital without a payment.
 */
export const compare = ({ lines: chain }: ChainCoins, books: Books): Compared[] => {
  const capital = [...books.uncovered].map(([asset, { decimals }]) => ({ asset, decimals }))
  const both = [...chain, ...books.lines, ...capital]
  const assets = new Map(both.map(({ asset, decimals }) => [asset, decimals]))
  return [...assets].map(([asset, decimals]) => {
    const lines = ownAccounts.flatMap((account): Line[] => {
      const isLine = (each: { readonly asset: string; readonly account: OwnAccount }) =>
        each.asset === asset && each.account === account
      const found = chain.find(isLine)
      const known = books.lines.find(isLine)
      if (!found && !known) return []
      const { booked = 0n, pending = 0n } = known ?? {}
      const units = found?.units ?? 0n
      const surplus = units - booked - pending
      const isOpened =
        books.opened.has(`${asset} ${account}`) || (account === 'deposit' && books.beganEmpty)
      const unopened = surplus > 0n && !isOpened ? surplus : 0n
      return [{ account, chain: units, booked, pending, unopened }]
    })
    const unexplained = books.unexplained.get(asset) ?? 0n
    const uncovered = books.uncovered.get(asset)?.units ?? 0n
    const difference = lines.reduce(
      (sum, line) => sum + line.chain - line.booked - line.pending - line.unopened,
      -unexplained - uncovered,
    )
    return { asset, decimals, unexplained, uncovered, difference, lines }
  })
}
