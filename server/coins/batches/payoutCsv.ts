/** Payout files for plain keys (not a Safe). Nothing stops a second execution. */
import { type CsvColumn, csvHeading, csvLines } from '@pool/contract/base/csv'
import { textOfUnits } from '@pool/contract/chain/quotes'
import type { PlannedPayout } from './plan.ts'

type Line = Pick<PlannedPayout, 'address' | 'units'>

/** The columns of the CSV apps of EVM networks. Amounts are in whole coins. */
export const evmCsv = (
  payouts: readonly Line[],
  { contract, decimals }: { readonly contract: string | null; readonly decimals: number },
): string => {
  const columns: CsvColumn<Line>[] = [
    { heading: 'token_type', value: () => (contract === null ? 'native' : 'erc20') },
    { heading: 'token_address', value: () => contract },
    { heading: 'receiver', value: ({ address }) => address },
    { heading: 'amount', value: ({ units }) => textOfUnits(units, decimals) },
  ]
  return csvHeading(columns) + csvLines(payouts, columns)
}

/** The columns of Solana's token distributor, and the mint. */
export const solanaCsv = (
  payouts: readonly Line[],
  { mint, decimals }: { readonly mint: string | null; readonly decimals: number },
): string => {
  const columns: CsvColumn<Line>[] = [
    { heading: 'recipient', value: ({ address }) => address },
    { heading: 'amount', value: ({ units }) => textOfUnits(units, decimals) },
    { heading: 'mint', value: () => mint },
  ]
  return csvHeading(columns) + csvLines(payouts, columns)
}

export type Collected = Line & {
  readonly from: string
  /** Wei that its transfer takes. */
  readonly gas: bigint
  /** Wei that the address lacks for it. */
  readonly lacks: bigint
}

/** Addresses to collect from, with the gas that each needs. */
export const collectionCsv = (
  all: readonly Collected[],
  { contract, decimals }: { readonly contract: string | null; readonly decimals: number },
): string => {
  const columns: CsvColumn<Collected>[] = [
    { heading: 'from', value: ({ from }) => from },
    { heading: 'to', value: ({ address }) => address },
    { heading: 'token_address', value: () => contract },
    { heading: 'amount', value: ({ units }) => textOfUnits(units, decimals) },
    { heading: 'gas', value: ({ gas }) => textOfUnits(gas, 18) },
    { heading: 'lacks', value: ({ lacks }) => textOfUnits(lacks, 18) },
  ]
  return csvHeading(columns) + csvLines(all, columns)
}
