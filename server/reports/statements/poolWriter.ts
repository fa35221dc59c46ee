import type { PoolStatement, PoolStatementLine } from '@pool/contract/reports/poolStatements'

export type PoolHead = Omit<PoolStatement, 'lines' | 'closing' | 'totals'>
export type PoolEnd = Pick<PoolStatement, 'closing' | 'totals'>

/** Each part is written before the next lines are read. */
export type PoolWriter = {
  readonly begin: (head: PoolHead) => string
  readonly lines: (lines: readonly PoolStatementLine[]) => string
  readonly end: (end: PoolEnd) => string
}

/** The posting before the first of a month. */
export const openingOf = (from: string): string => `${from.slice(0, 7)}/0`
