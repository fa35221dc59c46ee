import type { ListRequest } from '@pool/contract/base/lists'
import type { LaggingReads } from '../db/replica.ts'

/**
 * The state of the rows that a list asks for: `closed` ones await nothing, `open` ones await staff,
 * and `mixed` ones hold both.
 */
export type RowStates = 'closed' | 'mixed' | 'open'

/**
 * The reads of a list that may come from the replica (docs/decisions/036). Undefined for a list
 * that a decision may rest on.
 */
export const laggingFor = (
  reads: LaggingReads | undefined,
  { limit, cursor, mayLag }: ListRequest,
  rows: RowStates = 'closed',
): LaggingReads | undefined => {
  if (rows === 'open') return undefined
  const isRecord = limit === undefined || mayLag === true
  return isRecord || (cursor !== undefined && rows === 'closed') ? reads : undefined
}
