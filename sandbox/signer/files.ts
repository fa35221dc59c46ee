/** The signer's view of a file, which it takes from the file alone. */
import { PageError } from '../page/servePage.ts'

export type Payment = {
  readonly address: string
  /** In whole coins. */
  readonly amount: string
  readonly coin: string
  /** True where the signer's own key receives it. */
  readonly isOwn: boolean
}

export type ReadFile = {
  readonly kind: 'PSBT' | 'Safe file' | 'CSV'
  readonly network: string
  readonly from: string
  readonly payments: readonly Payment[]
  /** In whole coins. Null where the network decides it when the payment is sent. */
  readonly fee: string | null
  /** Why the signer signs nothing of it. */
  readonly faults: readonly string[]
  /** Sentences that a careful person wants to read before signing. */
  readonly notes: readonly string[]
}

/** Signs files of a network, and pays by hand. */
export type NetworkSigner = {
  readonly read: (text: string) => Promise<ReadFile | undefined>
  /** Signs and sends. Returns a sentence with each transaction. */
  readonly send: (text: string) => Promise<string>
  readonly coins: readonly string[]
  /** Pays beside the pool's books, and returns a sentence. `amount` is in whole coins. */
  readonly payByHand: (coin: string, address: string, amount: string) => Promise<string>
}

/** The rows of a CSV by heading. Undefined where a heading is missing. */
export const readCsv = (
  text: string,
  headings: readonly string[],
): Readonly<Record<string, string>>[] | undefined => {
  const [first = '', ...lines] = text.trim().split(/\r?\n/)
  if (first !== headings.join(',')) return undefined
  return lines.map((line, at) => {
    const cells = line.split(',')
    if (cells.length !== headings.length) throw new PageError(`Line ${at + 2} has other columns.`)
    return Object.fromEntries(headings.map((heading, place) => [heading, cells[place] ?? '']))
  })
}

/** Throws the faults of a file as one sentence or more. */
export const requireNoFault = ({ faults }: ReadFile): void => {
  if (faults.length > 0) throw new PageError(`Not signed. ${faults.join(' ')}`)
}
